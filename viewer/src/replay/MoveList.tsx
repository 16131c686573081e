import { useEffect, useRef } from "preact/hooks";
import { fixed } from "../format";
import type { MatchDetail, MoveValue } from "../api/types";
import { alternates, contestants, type Decision, decisionsOf, isBad, labelOf, seriesOf, shortName, valueOf } from "./moves";
import { PlainText } from "../parts/TextBlock";

const SMALL = 0.015; // what was given away is told from here on; the rest is noise in a list

interface Props {
  detail: MatchDetail;
  values: readonly MoveValue[]; // empty while evaluations are hidden
  ply: number;
  onPly: (ply: number) => void;
}

/** Every move. The current one is kept in sight. */
export function MoveList({ detail, values, ply, onPly }: Props) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = root.current;
    const current = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !current) return;
    // Only the list scrolls, never the page under the reader.
    const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
    if (top < box.scrollTop + 30) box.scrollTop = Math.max(0, top - 60);
    else if (bottom > box.scrollTop + box.clientHeight - 30) box.scrollTop = bottom - box.clientHeight + 60;
  }, [ply]);

  const pairs = alternates(detail);
  const seats = contestants(detail);
  const button = (decision: Decision, named: boolean) => (
    <MoveButton
      key={`${decision.step}.${decision.seat}`}
      decision={decision}
      name={named ? shortName(detail.entry.seats, decision.seat) : ""}
      series={seriesOf(detail.entry.seats, decision.seat)}
      value={valueOf(values, decision.step, decision.seat)}
      current={decision.ply === ply}
      onPly={onPly}
    />
  );
  const decisions = detail.steps.flatMap(decisionsOf);
  return (
    <div class="move-list" ref={root} role="group" aria-label="Moves">
      <button type="button" class="move move-start" aria-current={ply === 0 ? "step" : undefined} onClick={() => onPly(0)}>
        Start
        {detail.opening.length ? <span class="muted"> after {detail.opening.join(" ")}</span> : null}
      </button>
      {pairs ? (
        <ol class="move-pairs">
          {paired(decisions, seats[0]?.seat ?? "").map(([first, second], i) => (
            <li key={first?.step ?? second?.step}>
              <span class="move-number num">{i + 1}.</span>
              {first ? button(first, false) : <span class="move move-none">…</span>}
              {second ? button(second, false) : <span />}
            </li>
          ))}
        </ol>
      ) : (
        <ol class="move-rows">
          {decisions.map((decision) => (
            <li key={`${decision.step}.${decision.seat}`}>
              <span class="move-number num">{decision.ply}.</span>
              {button(decision, true)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function paired(decisions: Decision[], first: string): [Decision | undefined, Decision | undefined][] {
  const rows: [Decision | undefined, Decision | undefined][] = [];
  for (const decision of decisions) {
    const row = rows[rows.length - 1];
    if (decision.seat === first || !row) rows.push(decision.seat === first ? [decision, undefined] : [undefined, decision]);
    else row[1] = decision;
  }
  return rows;
}

interface ButtonProps {
  decision: Decision;
  name: string;
  series: number;
  value: MoveValue | undefined;
  current: boolean;
  onPly: (ply: number) => void;
}

function MoveButton({ decision, name, series, value, current, onPly }: ButtonProps) {
  const bad = decision.attempts.filter(isBad).length;
  return (
    <button
      type="button"
      class="move"
      data-ply={decision.ply}
      aria-current={current ? "step" : undefined}
      onClick={() => onPly(decision.ply)}
    >
      {name ? <span class={`move-seat series-${series}`}>{name}</span> : null}
      <span class={`move-text${decision.notation === null ? " move-failed" : ""}`}>
        <PlainText text={labelOf(decision)} limit={80} />
      </span>
      {decision.substituted ? (
        <span class="move-mark" title="the policy moved for this seat">
          sub
        </span>
      ) : null}
      {bad ? (
        <span class="move-mark move-bad" title={`${bad} rejected ${bad === 1 ? "attempt" : "attempts"}`}>
          ×{bad}
          <span class="unseen"> rejected</span>
        </span>
      ) : null}
      {value && value.regret >= SMALL ? (
        <span class="move-regret num" title={`gave away ${fixed(value.regret, 3)} of the score`}>
          {fixed(-value.regret, 2)}
        </span>
      ) : null}
    </button>
  );
}
