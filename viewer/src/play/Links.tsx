import { useRef, useState } from "preact/hooks";
import { href } from "../router";
import { useSession } from "../session";

interface Props {
  id: string;
  links: Readonly<Record<string, string>>; // seat -> secret
  titles: (seat: string) => string;
  present?: Readonly<Record<string, boolean>>;
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** Whether the link is in the clipboard now. Outside https and this machine browsers have only the older way to it. */
async function copied(input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select();
    return document.execCommand("copy");
  }
}

/** The links of the other people at the table. Whoever has one sits in that seat. */
export function Links({ id, links, titles, present }: Props) {
  const [told, setTold] = useState<{ seat: string; words: string }>({ seat: "", words: "" });
  const inputs = useRef<Record<string, HTMLInputElement | null>>({});
  const reach = useSession()?.reach;
  const seats = Object.entries(links);
  if (!seats.length) return null;
  const here = LOCAL.includes(location.hostname);
  // "This machine" would be another one on another device.
  const page = here && reach ? reach : location.href.replace(/#.*$/, "").replace(/\?.*$/, "");
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
            <input ref={(input) => void (inputs.current[seat] = input)} readOnly value={link} aria-label={`Link of ${titles(seat)}`} onFocus={(event) => event.currentTarget.select()} />
            <button
              type="button"
              onClick={() => {
                const input = inputs.current[seat];
                if (input) void copied(input).then((done) => setTold({ seat, words: done ? "Copied" : "Selected" }));
              }}
            >
              {told.seat === seat ? told.words : "Copy"}
            </button>
          </div>
        );
      })}
      <p class="muted small">
        Whoever opens a link sits in its seat, so give it to that person only.
        {here && !reach
          ? " This page is served for this machine alone; `ludometer view --host ADDRESS` serves it to other devices too."
          : ""}
      </p>
    </section>
  );
}
