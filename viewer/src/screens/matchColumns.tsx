// The columns of the list of matches; on a phone what belongs together shares a cell.
import { outcomeOf } from "../api/select";
import type { MatchEntry, SeatShape } from "../api/types";
import { ago, count, fixed, seconds, when } from "../format";
import type { Column } from "../parts/Table";
import { plain } from "../text";
import { PlainText } from "../parts/TextBlock";

type MatchColumn = Column<MatchEntry>;

export function matchColumns(
  matches: readonly MatchEntry[],
  link: (match: MatchEntry) => string,
  narrow: boolean,
): MatchColumn[] {
  const games = new Set(matches.map((match) => match.game)).size > 1;
  const number: MatchColumn = {
    id: "number",
    head: "No.",
    words: "Number of the match in the schedule",
    class: "match-number",
    cell: (match) => <a href={link(match)}>{count(match.number)}</a>,
    value: (match) => match.number,
    descending: false,
  };
  const moves: MatchColumn = {
    id: "moves",
    head: "Moves",
    words: "Length of the match in moves",
    cell: (match) => count(match.moves),
    value: (match) => match.moves,
  };
  const seats: MatchColumn = {
    id: "seats",
    head: "Players",
    words: "Who sat where, with the score of each",
    text: true,
    class: "match-seats",
    cell: (match) => (
      <>
        <Seats match={match} />
        {narrow && games && <span class="muted">{match.game} · </span>}
        {narrow && <Ending match={match} />}
      </>
    ),
  };
  if (narrow) return [number, seats, moves];
  return [
    number,
    ...(games
      ? [{ id: "game", head: "Game", words: "The game", text: true, cell: (match: MatchEntry) => match.game }]
      : []),
    seats,
    {
      id: "ending",
      head: "How it ended",
      words: "Why the match ended",
      text: true,
      class: "match-ending",
      cell: (match) => <Ending match={match} />,
    },
    moves,
    {
      id: "bad_attempts",
      head: "Bad answers",
      words: "Answers that were no legal move",
      cell: (match) =>
        match.bad_attempts ? count(match.bad_attempts) : <span class="muted">{count(match.bad_attempts)}</span>,
      value: (match) => match.bad_attempts,
    },
    {
      id: "seconds",
      head: "Took",
      words: "From the first answer to the last",
      cell: (match) => seconds(match.seconds),
      value: (match) => match.seconds,
    },
    {
      id: "finished",
      head: "Finished",
      words: "When it ended",
      cell: (match) => <span title={when(match.finished)}>{ago(match.finished)}</span>,
      value: (match) => match.finished,
    },
  ];
}

function Seats({ match }: { match: MatchEntry }) {
  const scores = match.seats.map((seat) => seat.score ?? -1).sort((a, b) => b - a);
  const best = (scores[0] ?? 0) > (scores[1] ?? 0) ? scores[0] : null; // nobody where it is shared
  return (
    <ul class="match-players">
      {match.seats.map((seat) => (
        <li key={`${seat.kind} ${seat.seat}`} class={best !== null && seat.score === best ? "seat-best" : undefined}>
          <span class="seat-title" title={plain(seat.title)}>
            {shortly(plain(seat.title))}
          </span>{" "}
          <PlainText text={seat.entrant} limit={60} />
          {seat.score !== null && <span class="seat-score num">{score(seat)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** "Player X" of "Player X (first player)". */
const shortly = (title: string) => title.replace(/\s*\(.*\)$/, "");

function score({ score }: SeatShape): string {
  if (score === 0.5) return "½";
  return score === null || Number.isInteger(score) ? count(score) : fixed(score, 2);
}

function Ending({ match }: { match: MatchEntry }) {
  const outcome = outcomeOf(match);
  return (
    <span class="match-end">
      {outcome !== "completed" && <span class={`badge badge-${outcome}`}>{outcome}</span>}
      <PlainText text={(match.why ?? "").replace(/_/g, " ")} limit={120} />
    </span>
  );
}
