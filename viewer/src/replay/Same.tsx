import { api } from "../api/routes";
import { useResource } from "../api/useResource";
import type { MatchDetail, SamePosition } from "../api/types";
import { href, setQuery } from "../router";
import { Await } from "../parts/States";
import { PlainText } from "../parts/TextBlock";
import { AttemptView } from "./AttemptView";
import { Exchanges } from "./Exchanges";
import type { Decision } from "./moves";

interface Props {
  run: string;
  detail: MatchDetail;
  decision: Decision;
  other: string | undefined; // "MATCH~STEP~SEAT" from the address
}

const nameOf = (same: SamePosition) => [same.match, same.step, same.seat].join("~");

function moveOf(same: SamePosition): string {
  const last = same.attempts[same.attempts.length - 1];
  return last?.notation ?? (last?.resign ? "resigns" : "no valid move");
}

/** What others did in the very same position, beside what was done here. */
export function Same({ run, detail, decision, other }: Props) {
  const asked = useResource(api.same(run, detail.entry.id, decision.step, decision.seat));
  return (
    <section class="same" aria-label="Others in this position">
      <h3>Others in this position</h3>
      {asked.problem?.status === 404 ? (
        <p class="muted">{asked.problem.message}</p>
      ) : (
        <Await asked={asked} what="Looking through the matches">
          {(found) =>
            found.length ? (
              <Compared run={run} detail={detail} decision={decision} found={found} other={other} />
            ) : (
              <p class="muted">Nobody else of this run was in this position.</p>
            )
          }
        </Await>
      )}
    </section>
  );
}

function Compared({ run, detail, decision, found, other }: Props & { found: SamePosition[] }) {
  const mine = detail.entry.seats.find((seat) => seat.seat === decision.seat)?.entrant ?? "";
  // Somebody else's answer tells more than another one of one's own.
  const chosen =
    found.find((same) => nameOf(same) === other) ?? found.find((same) => same.entrant !== mine) ?? (found[0] as SamePosition);
  const tally = new Map<string, number>();
  for (const same of found) tally.set(moveOf(same), (tally.get(moveOf(same)) ?? 0) + 1);
  const last = decision.attempts[decision.attempts.length - 1];
  const theirs = chosen.attempts[chosen.attempts.length - 1];
  return (
    <>
      <p class="same-tally">
        {[...tally]
          .sort((a, b) => b[1] - a[1])
          .slice(0, 12)
          .map(([move, n]) => (
            <span class="chip" key={move}>
              <PlainText text={move} limit={40} /> <span class="num muted">× {n}</span>
            </span>
          ))}
      </p>
      <label class="same-choice">
        <span>Beside it</span>
        <select value={nameOf(chosen)} onChange={(event) => setQuery({ other: event.currentTarget.value })}>
          {found.map((same) => (
            <option key={nameOf(same)} value={nameOf(same)}>
              {same.entrant}: {moveOf(same).slice(0, 40)} ({same.match})
            </option>
          ))}
        </select>
      </label>
      <div class="same-columns">
        <article>
          <h4>
            <PlainText text={mine} /> <span class="muted">here</span>
          </h4>
          {last ? <AttemptView attempt={last} /> : null}
        </article>
        <article>
          <h4>
            <PlainText text={chosen.entrant} />{" "}
            <a href={href(["run", run, "match", chosen.match, chosen.step + 1])}>in another match</a>
          </h4>
          {theirs ? <AttemptView attempt={theirs} /> : null}
          {theirs && theirs.calls > 0 && !theirs.hidden ? (
            <Exchanges run={run} match={chosen.match} step={chosen.step} attempt={theirs} />
          ) : null}
        </article>
      </div>
    </>
  );
}
