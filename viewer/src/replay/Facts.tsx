import type { MatchDetail } from "../api/types";
import { plural, seconds, when } from "../format";
import { Folded } from "../parts/Folded";
import { PlainText, TextBlock } from "../parts/TextBlock";

function word(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was fixed before the first move: shown at the start, where there is no decision to show. */
export function Facts({ detail }: { run: string; detail: MatchDetail }) {
  const { entry } = detail;
  const rows: [string, string][] = [
    ["moves", entry.moves === null ? "–" : String(entry.moves)],
    ["attempts", entry.attempts === null ? "–" : `${entry.attempts}, ${plural(entry.bad_attempts ?? 0, "of them rejected", "of them rejected")}`],
    ["took", seconds(entry.seconds)],
    ["finished", when(entry.finished)],
    ...Object.entries(entry.options).map(([name, value]): [string, string] => [name, word(value)]),
    ...Object.entries(entry.condition).map(([name, value]): [string, string] => [name, word(value)]),
  ];
  return (
    <section class="facts">
      <h3>Before the first move</h3>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replace(/_/g, " ")}</dt>
            <dd>
              <PlainText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {detail.opening.length ? (
        <p>
          Opened with <PlainText text={detail.opening.join(" ")} />.
        </p>
      ) : null}
      <Folded summary="Rules as the players were told">{() => <TextBlock text={detail.rules} label="Rules" />}</Folded>
      <Folded summary="Policy for invalid answers, time and draws">
        {() => <TextBlock text={JSON.stringify(detail.policy, null, 2)} label="Policy" />}
      </Folded>
      <p class="muted small">
        <kbd>→</kbd> goes to the first move, <kbd>Space</kbd> plays them all, <kbd>?</kbd> lists every key.
      </p>
    </section>
  );
}
