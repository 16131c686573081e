import { useState } from "preact/hooks";
import { href } from "../router";

interface Props {
  id: string;
  links: Readonly<Record<string, string>>; // seat -> secret
  titles: (seat: string) => string;
  present?: Readonly<Record<string, boolean>>;
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** The links of the other people at the table. Whoever has one sits in that seat. */
export function Links({ id, links, titles, present }: Props) {
  const [copied, setCopied] = useState("");
  const seats = Object.entries(links);
  if (!seats.length) return null;
  const page = location.href.replace(/#.*$/, "").replace(/\?.*$/, "");
  return (
    <section class="links">
      <h2>{seats.length === 1 ? "The other person's link" : "The other people's links"}</h2>
      {seats.map(([seat, secret]) => {
        const link = page + href(["play", id, secret]);
        return (
          <div class="link-row" key={seat}>
            <span>
              {titles(seat)}
              {present ? <span class={present[seat] ? "here" : "muted"}>{present[seat] ? " · is here" : " · not here yet"}</span> : null}
            </span>
            <input readOnly value={link} aria-label={`Link of ${titles(seat)}`} onFocus={(event) => event.currentTarget.select()} />
            <button
              type="button"
              onClick={() => {
                void navigator.clipboard?.writeText(link).then(() => setCopied(seat));
              }}
            >
              {copied === seat ? "Copied" : "Copy"}
            </button>
          </div>
        );
      })}
      <p class="muted small">
        Whoever opens a link sits in its seat, so give it to that person only.
        {LOCAL.includes(location.hostname)
          ? " This page is served for this machine alone; `ludometer view --host ADDRESS` serves it to other devices too."
          : ""}
      </p>
    </section>
  );
}
