// The steps of a match as a list of moves.

import type { AttemptShape, MatchDetail, MoveValue, SeatShape, Step } from "../api/types";

/** One decision: what a seat did in a step, with everything it tried. */
export interface Decision {
  step: number;
  ply: number;
  seat: string;
  notation: string | null; // the move in effect; null where there was none (a forfeit, a resignation)
  attempts: AttemptShape[];
  substituted: boolean; // the policy moved
}

export function decisionsOf(step: Step): Decision[] {
  const seats = new Set([...step.attempts.map((attempt) => attempt.seat), ...Object.keys(step.moves)]);
  return [...seats].map((seat) => ({
    step: step.step,
    ply: step.ply,
    seat,
    notation: step.moves[seat] ?? null,
    attempts: step.attempts.filter((attempt) => attempt.seat === seat),
    substituted: step.substituted.includes(seat),
  }));
}

export const isBad = (attempt: AttemptShape) => attempt.status !== "legal" && !attempt.resign && attempt.draw === null;

/** What the move list writes for a decision. */
export function labelOf(decision: Decision): string {
  if (decision.notation !== null) return decision.notation;
  const last = decision.attempts[decision.attempts.length - 1];
  if (last?.resign) return "resigns";
  if (last?.draw) return `draw: ${last.draw}`;
  if (last?.hidden) return "·";
  return last ? "no valid move" : "–";
}

/** The last ply there is: of a position or of a step without one (a forfeit). */
export function lastPly(detail: MatchDetail): number {
  return Math.max(detail.plies, ...detail.steps.map((step) => step.ply));
}

export function contestants(detail: MatchDetail): SeatShape[] {
  return detail.entry.seats.filter((seat) => seat.kind === "contestant");
}

/** What a seat is called; where several are called the same (the parts of a judge), with its own name. */
export function seatName(seats: readonly SeatShape[], seat: string): string {
  const title = seats.find((other) => other.seat === seat)?.title || seat;
  return seats.filter((other) => other.title === title).length > 1 ? `${title} (${seat})` : title;
}

/** The same in as few letters as a list of moves has room for. */
export function shortName(seats: readonly SeatShape[], seat: string): string {
  return seatName(seats, seat).replace(/^Player (\d+)$/, "P$1");
}

/** The colour of a seat in lists and graphs: the series of the palette, by order. */
export function seriesOf(seats: readonly SeatShape[], seat: string): number {
  const at = seats.findIndex((other) => other.seat === seat);
  return at < 0 ? 8 : (at % 8) + 1;
}

/** Whether the moves can stand in two columns: two seats that take turns, one at a time. */
export function alternates(detail: MatchDetail): boolean {
  const seats = contestants(detail).map((seat) => seat.seat);
  if (seats.length !== 2) return false;
  const short = detail.steps.every((step) => Object.values(step.moves).every((move) => move.length <= 9));
  return (
    short &&
    detail.steps.every((step, i) => {
      const acting = new Set([...step.attempts.map((a) => a.seat), ...Object.keys(step.moves)]);
      const before = detail.steps[i - 1];
      const last = before ? (Object.keys(before.moves)[0] ?? before.attempts[0]?.seat) : undefined;
      return acting.size === 1 && seats.includes([...acting][0] as string) && !acting.has(last ?? "");
    })
  );
}

/** What is said of the decision of a seat by an evaluator: of the attempt that counted, else of the last one. */
export function valueOf(values: readonly MoveValue[], step: number, seat: string): MoveValue | undefined {
  const found = values.filter((value) => value.step === step && value.seat === seat);
  return found[found.length - 1];
}
