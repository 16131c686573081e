// An estimate with its interval on a scale that all rows share.
import { count, fixed } from "../format";

export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** A scale that holds all the values, with a little room; null where there are none. */
export function scaleOf(values: readonly (number | null)[]): Scale | null {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (known.length === 0) return null;
  const low = Math.min(...known);
  const high = Math.max(...known);
  const room = (high - low) * 0.04 || 1;
  return { low: low - room, high: high + room };
}

interface Props {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly scale: Scale;
  /** Where a line marks what would be expected (a score of one half, the mean rating). */
  readonly zero?: number;
}

const WIDTH = 100;

/** Whiskers and a point. Whatever reaches beyond the scale is cut there. */
export function Whiskers({ value, low, high, scale, zero }: Props) {
  if (value === null) return null;
  const x = (at: number) =>
    (WIDTH * (Math.min(Math.max(at, scale.low), scale.high) - scale.low)) / (scale.high - scale.low);
  return (
    <svg class="whiskers" viewBox={`0 0 ${WIDTH} 14`} width={WIDTH} height="14" aria-hidden="true">
      {zero !== undefined && <line class="whiskers-zero" x1={x(zero)} x2={x(zero)} y1="0" y2="14" />}
      {low !== null && high !== null && (
        <path class="whiskers-line" d={`M${x(low)} 7H${x(high)}M${x(low)} 4v6M${x(high)} 4v6`} />
      )}
      <circle class="whiskers-point" cx={x(value)} cy="7" r="3.2" />
    </svg>
  );
}

interface IntervalProps {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** How one number is written. */
  readonly as?: (value: number) => string;
  /** How many observations there are, where no column of its own says it. */
  readonly n?: number;
}

const roundly = (value: number) => fixed(value, 0);

/** A number with its interval below it, smaller. */
export function Interval({ value, low, high, as = roundly, n }: IntervalProps) {
  if (value === null) return <span class="muted">–</span>;
  const below = [
    low !== null && high !== null ? between(as(low), as(high)) : "",
    n === undefined ? "" : `n = ${count(n)}`,
  ];
  return (
    <span class="interval num">
      {as(value)}
      <small>{below.filter(Boolean).join(", ")}</small>
    </span>
  );
}

/** "72–100%": the unit once, and a word instead of a dash beside a minus sign. */
function between(low: string, high: string): string {
  const start = low.endsWith("%") && high.endsWith("%") ? low.slice(0, -1) : low;
  return /[−+]/.test(low + high) ? `${start} to ${high}` : `${start}–${high}`;
}
