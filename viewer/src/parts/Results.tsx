// Wins, draws and losses: a bar, and the numbers beside it.
import type { BoardRow, SeatCounts } from "../api/types";
import { count, plural } from "../format";

export interface Tally {
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly forfeits: number;
  readonly forfeited_to: number;
  readonly canceled: number;
}

export function total(seats: readonly SeatCounts[]): Tally {
  const sum = (name: keyof Tally) => seats.reduce((n, seat) => n + seat[name], 0);
  return {
    wins: sum("wins"),
    draws: sum("draws"),
    losses: sum("losses"),
    forfeits: sum("forfeits"),
    forfeited_to: sum("forfeited_to"),
    canceled: sum("canceled"),
  };
}

/** All names of seats in the rows, in the order in which they first come. */
export function seatsOf(rows: readonly BoardRow[]): string[] {
  return [...new Set(rows.flatMap((row) => row.seats.map((seat) => seat.seat)))];
}

export function ResultBar({ tally }: { tally: Tally }) {
  const { wins, draws, losses } = tally;
  const all = wins + draws + losses;
  if (all === 0) return null;
  const part = (n: number) => (100 * n) / all;
  return (
    <svg class="result-bar" viewBox="0 0 100 8" preserveAspectRatio="none" width="60" height="8" aria-hidden="true">
      <rect class="result-win" width={part(wins)} height="8" />
      <rect class="result-draw" x={part(wins)} width={part(draws)} height="8" />
      <rect class="result-loss" x={part(wins) + part(draws)} width={part(losses)} height="8" />
    </svg>
  );
}

/** The head of such numbers. */
export function ResultHead() {
  return (
    <span class="wdl">
      <span>W</span>
      <span>D</span>
      <span>L</span>
    </span>
  );
}

/** "12 · 3 · 5", and below what did not come to an ordinary end. */
export function ResultNumbers({ tally }: { tally: Tally }) {
  return (
    <span class="interval">
      <span class="wdl num">
        <span title={plural(tally.wins, "win")}>{count(tally.wins)}</span>
        <span title={plural(tally.draws, "draw")}>{count(tally.draws)}</span>
        <span title={plural(tally.losses, "loss", "losses")}>{count(tally.losses)}</span>
      </span>
      <Apart tally={tally} />
    </span>
  );
}

function Apart({ tally }: { tally: Tally }) {
  const words = [
    tally.forfeits ? `${count(tally.forfeits)} forfeited` : "",
    tally.forfeited_to ? `${count(tally.forfeited_to)} by forfeit` : "",
    tally.canceled ? `${count(tally.canceled)} canceled` : "",
  ].filter(Boolean);
  return words.length ? <small>{words.join(", ")}</small> : null;
}
