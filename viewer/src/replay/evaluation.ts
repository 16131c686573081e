// Whether evaluations are shown. One key hides every trace of them; that is kept in the address (a link can ask for
// either) and, for this reader, in the browser.

import { setQuery } from "../router";
import type { MatchDetail, MoveValue } from "../api/types";
import { contestants } from "./moves";

const KEY = "ludometer.evaluation";

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== "hidden";
  } catch {
    return true; // a frame without storage
  }
}

export function evaluationShown(query: Readonly<Record<string, string>>): boolean {
  if (query["eval"] === "0") return false;
  return query["eval"] === "1" || remembered();
}

export function showEvaluation(shown: boolean): void {
  try {
    localStorage.setItem(KEY, shown ? "shown" : "hidden");
  } catch {
    // The address keeps it.
  }
  setQuery({ eval: shown ? "1" : "0" });
}

export interface Point {
  ply: number;
  value: number; // expected score in [0, 1]
}

/**
 * The expected score over the plies. With two seats one line, the first seat's; with more a line for each seat, at its
 * own decisions. Values of the position after the move; at the start what the first to move could get.
 */
export function lines(detail: MatchDetail, values: readonly MoveValue[]): Map<string, Point[]> {
  const seats = contestants(detail).map((seat) => seat.seat);
  const sorted = [...values].sort((a, b) => a.ply - b.ply);
  const found = new Map<string, Point[]>();
  if (seats.length === 2) {
    const first = seats[0] as string;
    const own = (value: MoveValue, score: number) => (value.seat === first ? score : 1 - score);
    const points = sorted.map((value) => ({ ply: value.ply, value: own(value, value.value) }));
    const start = sorted[0];
    if (start && start.ply === 1) points.unshift({ ply: 0, value: own(start, start.best) });
    if (points.length) found.set(first, points);
    return found;
  }
  for (const seat of seats) {
    const points = sorted.filter((value) => value.seat === seat).map(({ ply, value }) => ({ ply, value }));
    if (points.length) found.set(seat, points);
  }
  return found;
}

/** The latest known value at a ply. */
export function valueAt(points: readonly Point[], ply: number): number | null {
  let value: number | null = null;
  for (const point of points) {
    if (point.ply > ply) break;
    value = point.value;
  }
  return value;
}
