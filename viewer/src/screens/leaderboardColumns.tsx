// The columns of the leaderboard.
import type { BoardRow, Leaderboard } from "../api/types";
import { count, dollars, fixed, percent, seconds, tokens } from "../format";
import { Interval, scaleOf, Whiskers } from "../parts/Interval";
import { ResultBar, ResultHead, ResultNumbers, seatsOf, total } from "../parts/Results";
import type { Column } from "../parts/Table";

export const GROUPS = [
  ["results", "Results"],
  ["seats", "By seat"],
  ["answers", "Answers"],
  ["cost", "Tokens and cost"],
  ["quality", "Move quality"],
  ["luck", "Luck taken out"],
] as const;

type RowColumn = Column<BoardRow>;

/** Columns that hold anything, in order; `entrant` is how a name is drawn. */
export function columnsFor({ rows, adjusted_in }: Leaderboard, entrant: RowColumn["cell"]): RowColumn[] {
  const has = (value: (row: BoardRow) => number | null) => rows.some((row) => value(row) !== null);
  const all = [
    { id: "entrant", head: "Entrant", words: "Who played", text: true, class: "entrant", cell: entrant, value: name },
    ...ratingColumns(rows),
    ...resultColumns(),
    ...seatColumns(rows),
    ...answerColumns(has),
    ...costColumns(has),
    ...qualityColumns(has),
    ...adjustedColumns(has, adjusted_in),
  ] satisfies RowColumn[];
  return all;
}

const name = (row: BoardRow) => row.entrant;
const asPercent = (value: number) => percent(value);
const asBlinds = (value: number) => fixed(value, 1);
const asRegret = (value: number) => fixed(value, 3);

function ratingColumns(rows: readonly BoardRow[]): RowColumn[] {
  const scale = scaleOf(rows.flatMap((row) => [row.rating, row.rating_low, row.rating_high]));
  if (!scale) return [];
  return [
    {
      id: "rank",
      head: "Rank",
      words: "The ranks that the data allow: a range where intervals overlap",
      cell: (row) => <Ranks row={row} />,
      value: (row) => row.rank_best,
      descending: false,
    },
    {
      id: "rating",
      head: "Rating",
      words: "Rating points with their interval",
      cell: (row) => <Interval value={row.rating} low={row.rating_low} high={row.rating_high} />,
      value: (row) => row.rating,
    },
    {
      id: "whiskers",
      head: "",
      words: "The rating and its interval on one scale for all rows",
      class: "drawn",
      cell: (row) => <Whiskers value={row.rating} low={row.rating_low} high={row.rating_high} scale={scale} />,
    },
    {
      id: "games",
      head: "Games",
      words: "Games that were rated",
      cell: (row) => count(row.games),
      value: (row) => row.games,
    },
  ];
}

function Ranks({ row }: { row: BoardRow }) {
  if (row.rank_best === null) return <span class="muted">–</span>;
  const worst = row.rank_worst;
  return <>{worst !== null && worst !== row.rank_best ? `${row.rank_best}–${worst}` : row.rank_best}</>;
}

function resultColumns(): RowColumn[] {
  return [
    {
      id: "score",
      head: "Score",
      words: "Mean score of a game, with its interval",
      group: "results",
      cell: (row) => <Interval value={row.score} low={row.score_low} high={row.score_high} as={asPercent} />,
      value: (row) => row.score,
    },
    {
      id: "bar",
      head: "",
      words: "Wins, draws and losses as a bar",
      group: "results",
      class: "drawn",
      cell: (row) => <ResultBar tally={total(row.seats)} />,
    },
    {
      id: "wins",
      head: <ResultHead />,
      words: "Wins, draws and losses of completed games; forfeits and canceled games apart",
      group: "results",
      cell: (row) => <ResultNumbers tally={total(row.seats)} />,
      value: (row) => total(row.seats).wins,
    },
  ];
}

function seatColumns(rows: readonly BoardRow[]): RowColumn[] {
  return seatsOf(rows).map((seat) => ({
    id: `seat.${seat}`,
    head: `${seatName(seat)}`,
    words: `Wins, draws and losses in seat ${seat}`,
    group: "seats",
    cell: (row) => {
      const found = row.seats.find((counts) => counts.seat === seat);
      return found ? <ResultNumbers tally={found} /> : <span class="muted">–</span>;
    },
    value: (row) => row.seats.find((counts) => counts.seat === seat)?.wins ?? null,
  }));
}

function seatName(seat: string): string {
  return /^\d+$/.test(seat) ? `Seat ${seat}` : seat;
}

type Has = (value: (row: BoardRow) => number | null) => boolean;

function answerColumns(has: Has): RowColumn[] {
  if (!has((row) => row.valid)) return [];
  return [
    {
      id: "valid",
      head: "Valid",
      words: "Share of answers that were legal moves, with its interval and how many answers there were",
      group: "answers",
      cell: (row) => (
        <Interval value={row.valid} low={row.valid_low} high={row.valid_high} as={asPercent} n={row.attempts} />
      ),
      value: (row) => row.valid,
    },
  ];
}

function costColumns(has: Has): RowColumn[] {
  const column = (
    id: string,
    head: string,
    words: string,
    value: (row: BoardRow) => number | null,
    as: (v: number | null) => string,
  ) =>
    has(value)
      ? [
          {
            id,
            head,
            words,
            group: "cost",
            cell: (row: BoardRow) => as(value(row)),
            value,
            descending: id !== "latency",
          },
        ]
      : [];
  if (!has((row) => row.calls || null)) return [];
  return [
    ...column("calls", "Calls", "Calls to a model", (row) => row.calls || null, count),
    ...column("input", "In", "Input tokens of a call", (row) => row.input_tokens, tokens),
    ...column("output", "Out", "Output tokens of a call", (row) => row.output_tokens, tokens),
    ...column("reasoning", "Reasoning", "Reasoning tokens of a call", (row) => row.reasoning_tokens, tokens),
    ...column("cost", "Cost", "What all calls cost", (row) => row.cost, dollars),
    ...column("latency", "Latency", "Median time of a call", (row) => row.latency, seconds),
  ];
}

function qualityColumns(has: Has): RowColumn[] {
  const regret: RowColumn = {
    id: "regret",
    head: "Regret",
    words:
      "What a move gives away on average against the best one, in score, with its interval and the number of moves; lower is better",
    group: "quality",
    cell: (row) => (
      <Interval value={row.regret} low={row.regret_low} high={row.regret_high} as={asRegret} n={row.regret_n} />
    ),
    value: (row) => row.regret,
    descending: false,
  };
  return has((row) => row.regret) ? [regret] : [];
}

function adjustedColumns(has: Has, unit: Leaderboard["adjusted_in"]): RowColumn[] {
  if (!has((row) => row.adjusted)) return [];
  const blinds = unit === "bb_100";
  return [
    {
      id: "adjusted",
      head: blinds ? "Luck-adjusted bb/100" : "Luck-adjusted",
      words: blinds
        ? "Big blinds won per 100 hands, all-ins at what they are worth on average, with their interval and the number of hands"
        : "Score with the luck of the cards or dice taken out, with its interval and the number of groups of matches with common luck",
      group: "luck",
      cell: (row) => (
        <Interval
          value={row.adjusted}
          low={row.adjusted_low}
          high={row.adjusted_high}
          as={blinds ? asBlinds : asPercent}
          n={row.adjusted_n}
        />
      ),
      value: (row) => row.adjusted,
    },
  ];
}
