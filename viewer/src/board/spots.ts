// What of a board can be pressed. A spot is an element of the drawing with `data-action` (a whole move) or
// `data-square` (the place a move starts or ends at). Both are narrowed to what is legal now.

import type { Legal } from "./legal";

export type SpotRole = "act" | "from" | "to" | "selected";

export interface Spot {
  role: SpotRole;
  words: string; // what a screen reader adds to the name of the place
}

/**
 * The spots that can be pressed now: key (`data-action` or `data-square`) to what pressing it does.
 *
 * `whole`: a spot may be a whole move. Not so in chess, where a square ("a4") is the name of a pawn's move too.
 */
export function spotsOf(legal: readonly Legal[], from: string | null, whole: boolean): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const move of legal) {
    if (whole) spots.set(move.action, { role: "act", words: "" });
    if (move.from === null || move.to === null) continue;
    if (from === null) spots.set(move.from, { role: "from", words: "can be moved" });
    else if (move.from === from) spots.set(move.to, { role: "to", words: "can be moved to" });
    // Another piece may be taken up instead.
    else if (!spots.has(move.from)) spots.set(move.from, { role: "from", words: "can be moved" });
  }
  if (from !== null) spots.set(from, { role: "selected", words: "chosen; press again to let go" });
  return spots;
}

/** The legal moves between two places; more than one where a choice is left (a promotion). */
export function between(legal: readonly Legal[], from: string, to: string): Legal[] {
  return legal.filter((move) => move.from === from && move.to === to);
}
