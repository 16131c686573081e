import { useEffect, useRef } from "preact/hooks";
import type { Play } from "../api/types";
import { PlainText } from "../parts/TextBlock";
import { seriesOf } from "../replay/moves";

/** What happened, as this seat witnessed it: a score of moves, or a talk where moves are words. */
export function History({ play }: { play: Play }) {
  const list = useRef<HTMLOListElement>(null);
  const talk = play.multiline || play.moves.some((move) => (move["notation"] ?? "").length > 60);
  // A game tells more than moves where there are cards and dice; a talk is its moves.
  const told = !talk && play.events.length > play.moves.length;
  const rows = told ? play.events.map(split(play)) : play.moves.map((move) => [move["seat"] ?? "", move["notation"] ?? ""] as const);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [rows.length]);
  if (!rows.length) return null;
  return (
    <section class={talk ? "history history-talk" : "history"}>
      <h2>{talk ? "What was said" : told ? "What happened" : "Moves"}</h2>
      <ol ref={list} tabIndex={0} aria-label="So far">
        {rows.map(([seat, words], i) => (
          <li key={i} class={seat === play.seat ? "mine" : undefined}>
            {seat ? (
              <span class={`history-seat series-${seriesOf(play.seats, seat)}`}>
                {play.seats.find((other) => other.seat === seat)?.title ?? seat}
              </span>
            ) : null}{" "}
            <span class="history-words">
              <PlainText text={talk ? spoken(words) : words} limit={6000} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A speech stands in the notation as a JSON text. */
function spoken(notation: string): string {
  if (!notation.startsWith('"')) return notation;
  try {
    return String(JSON.parse(notation));
  } catch {
    return notation;
  }
}

/** An event's seat and words. */
function split(play: Play): (event: string) => readonly [string, string] {
  return (event) => {
    const at = event.indexOf(": ");
    const seat = at > 0 ? event.slice(0, at) : "";
    return play.seats.some((other) => other.seat === seat) ? [seat, event.slice(at + 2)] : ["", event];
  };
}
