// The name of the run that is looked at, how far it is, and its screens.
import { useEffect, useRef } from "preact/hooks";
import { href } from "../router";
import { useRunDetail } from "../run";
import { useSession } from "../session";
import { Progress } from "./Progress";
import { PlainText } from "./TextBlock";

const TABS = [
  { id: "leaderboard", words: "Leaderboard", segments: [] },
  { id: "matrix", words: "Head to head", segments: ["matrix"] },
  { id: "matches", words: "Matches", segments: ["matches"] },
  { id: "live", words: "Live", segments: ["live"] },
  { id: "report", words: "Report", segments: ["report"] },
];

export function RunHead({ run, tab }: { run: string; tab: string | undefined }) {
  const session = useSession();
  const entry = useRunDetail().data?.entry;
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tabs are wider than the page.
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [tab, entry === undefined]);
  const tabs = TABS.filter(({ id }) => id !== "live" || session?.live);
  return (
    <section class="run-head" aria-label="The run">
      <div class="run-title">
        <h1>
          <PlainText text={entry?.name || run} />
        </h1>
        {entry && <Progress entry={entry} words />}
      </div>
      {entry?.description && (
        <p class="run-words">
          <PlainText text={entry.description} limit={600} />
        </p>
      )}
      <nav class="tabs" aria-label="Screens of this run" ref={bar}>
        {tabs.map(({ id, words, segments }) => (
          <a key={id} href={href(["run", run, ...segments])} aria-current={id === tab ? "page" : undefined}>
            {words}
          </a>
        ))}
      </nav>
    </section>
  );
}
