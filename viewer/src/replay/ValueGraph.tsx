import { fixed } from "../format";
import type { MatchDetail, MoveValue } from "../api/types";
import type { Point } from "./evaluation";
import { contestants, seatName, seriesOf } from "./moves";

interface Props {
  detail: MatchDetail;
  lines: ReadonlyMap<string, Point[]>;
  values: readonly MoveValue[];
  ply: number;
  plies: number;
  onPly: (ply: number) => void;
}

const WIDTH = 600;
const HEIGHT = 110;
const PAD = 6;
const BAD = 0.1; // a decision that gave away so much of the score is dotted

/** The expected score over the match. A click goes to that move. */
export function ValueGraph({ detail, lines, values, ply, plies, onPly }: Props) {
  const seats = contestants(detail);
  const x = (p: number) => PAD + ((WIDTH - 2 * PAD) * p) / Math.max(1, plies);
  const y = (value: number) => PAD + (HEIGHT - 2 * PAD) * (1 - value);
  const two = seats.length === 2;
  const path = (points: readonly Point[]) => points.map((p, i) => `${i ? "L" : "M"}${x(p.ply)} ${y(p.value)}`).join("");
  const names = [...lines.keys()].map((seat) => seatName(seats, seat)).join(", ");
  return (
    <figure class="value-graph">
      <figcaption>
        Expected score of {names}
        <span class="muted"> · dots: {fixed(BAD, 1)} or more given away</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Expected score of ${names} over ${plies} moves`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const at = ((event.clientX - box.left) / box.width) * WIDTH;
          onPly(Math.max(0, Math.min(plies, Math.round(((at - PAD) / (WIDTH - 2 * PAD)) * plies))));
        }}
      >
        <path class="graph-rule" d={`M0 ${y(1)}H${WIDTH}M0 ${y(0)}H${WIDTH}`} />
        <path class="graph-middle" d={`M0 ${y(0.5)}H${WIDTH}`} />
        {[...lines].map(([seat, points]) => {
          const begin = points[0];
          const end = points[points.length - 1];
          if (!begin || !end) return null;
          return (
            <g key={seat} class={`series-${seriesOf(seats, seat)}`}>
              {two ? (
                <path class="graph-area" d={`${path(points)}L${x(end.ply)} ${y(0.5)}L${x(begin.ply)} ${y(0.5)}Z`} />
              ) : null}
              <path class="graph-line" d={path(points)} />
            </g>
          );
        })}
        {values
          .filter((value) => value.regret >= BAD)
          .map((value) => {
            const score = two && value.seat !== seats[0]?.seat ? 1 - value.value : value.value;
            return (
              <circle
                key={`${value.step}.${value.seat}.${value.attempt}`}
                class={`graph-dot series-${seriesOf(seats, value.seat)}`}
                cx={x(value.ply)}
                cy={y(score)}
                r="3.5"
              >
                <title>{`move ${value.ply}, ${seatName(seats, value.seat)}: ${value.action} gave away ${fixed(value.regret, 2)}`}</title>
              </circle>
            );
          })}
        <path class="graph-now" d={`M${x(ply)} 0V${HEIGHT}`} />
      </svg>
    </figure>
  );
}
