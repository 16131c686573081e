import type { MatchDetail, MoveValue } from "../api/types";
import { setQuery } from "../router";
import { PlainText } from "../parts/TextBlock";
import { AttemptView } from "./AttemptView";
import { Exchanges } from "./Exchanges";
import { type Decision, isBad, labelOf, seriesOf } from "./moves";
import { Values } from "./Values";

interface Props {
  run: string;
  detail: MatchDetail;
  decision: Decision;
  attempt: string | undefined; // "SEAT.N" from the address
  value: MoveValue | undefined;
  comparing: boolean;
  onCompare: () => void;
}

/** Everything about one decision: who, what, every attempt with its words and calls, and what it was worth. */
export function DecisionPanel({ run, detail, decision, attempt, value, comparing, onCompare }: Props) {
  const seat = detail.entry.seats.find((other) => other.seat === decision.seat);
  const { attempts } = decision;
  const chosen = attempts.find((a) => `${a.seat}.${a.attempt}` === attempt) ?? attempts[attempts.length - 1];
  return (
    <section class="decision" aria-label={`Decision of ${seat?.title ?? decision.seat}`}>
      <header>
        <span class={`dot series-${seriesOf(detail.entry.seats, decision.seat)}`} />
        <div>
          <h3>
            <PlainText text={labelOf(decision)} limit={120} />
          </h3>
          <p class="muted">
            move {decision.ply} · {seat?.title ?? decision.seat} · <PlainText text={seat?.entrant ?? ""} />
            {decision.substituted ? " · the policy moved for it" : ""}
          </p>
        </div>
        {detail.public_only ? null : (
          <button type="button" class="quiet" aria-pressed={comparing} onClick={onCompare}>
            {comparing ? "Close comparison" : "Others here"}
          </button>
        )}
      </header>
      {attempts.length > 1 ? (
        <div class="switch attempts" role="group" aria-label="Attempts">
          {attempts.map((a) => (
            <button
              key={a.attempt}
              type="button"
              aria-pressed={a === chosen}
              onClick={() => setQuery({ attempt: `${a.seat}.${a.attempt}` })}
            >
              {isBad(a) ? <span class="move-bad">×</span> : "✓"} {a.attempt + 1}. {isBad(a) ? (a.kind || a.status).replace(/_/g, " ") : "accepted"}
            </button>
          ))}
        </div>
      ) : null}
      {chosen ? <AttemptView attempt={chosen} /> : null}
      {value ? <Values value={value} /> : null}
      {chosen && chosen.calls > 0 && !chosen.hidden ? (
        <Exchanges run={run} match={detail.entry.id} step={decision.step} attempt={chosen} />
      ) : null}
    </section>
  );
}
