import { fixed } from "../format";
import type { MatchDetail } from "../api/types";
import { valueAt, type Point } from "./evaluation";
import { contestants, seriesOf } from "./moves";

interface Props {
  detail: MatchDetail;
  lines: ReadonlyMap<string, Point[]>;
  ply: number;
  turned: boolean;
}

/** What each seat can expect now, beside the board: one upright bar for two seats, a small one each for more. */
export function EvalBar({ detail, lines, ply, turned }: Props) {
  const seats = contestants(detail);
  const [first, second] = seats;
  if (seats.length === 2 && first && second) {
    const value = valueAt(lines.get(first.seat) ?? [], ply);
    const share = value ?? 0.5;
    const words = value === null ? "not evaluated" : `${first.title} is expected to score ${fixed(value, 2)}`;
    return (
      <div class={`eval-bar${turned ? " eval-turned" : ""}`} role="img" aria-label={words} title={words}>
        <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
          <rect class="eval-second" width="10" height="100" />
          <rect class="eval-first" y={100 - 100 * share} width="10" height={100 * share} />
          <path class="eval-middle" d="M0 50H10" />
        </svg>
        <span class="num">{fixed(value, 2)}</span>
      </div>
    );
  }
  return (
    <ul class="eval-seats" aria-label="Expected scores at the latest decision">
      {seats.map((seat) => {
        const value = valueAt(lines.get(seat.seat) ?? [], ply);
        return (
          <li key={seat.seat}>
            <span class={`dot series-${seriesOf(seats, seat.seat)}`} />
            <span class="eval-seat">{seat.title}</span>
            <meter min={0} max={1} value={value ?? 0} aria-label={seat.title} />
            <span class="num">{fixed(value, 2)}</span>
          </li>
        );
      })}
    </ul>
  );
}
