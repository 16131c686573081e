// What a seat is worth in rating points, by game.
import { fixed } from "../format";
import { Interval, scaleOf, Whiskers } from "./Interval";
import { Table, type Column } from "./Table";

interface Effect {
  readonly seat: string;
  readonly game: string;
  readonly points: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly games: number | null;
}

const signed = (value: number) => (value > 0 ? `+${fixed(value, 0)}` : fixed(value, 0));

export function SeatEffects({ effects }: { effects: readonly Record<string, unknown>[] }) {
  const rows = effects.map(read);
  if (rows.length === 0) return null;
  const scale = scaleOf([0, ...rows.flatMap((row) => [row.points, row.low, row.high])]) ?? { low: -1, high: 1 };
  const games = new Set(rows.map((row) => row.game)).size > 1;
  const columns: Column<Effect>[] = [
    { id: "seat", head: "Seat", words: "The seat", text: true, cell: (row) => row.seat },
    ...(games ? [{ id: "game", head: "Game", words: "The game", text: true, cell: (row: Effect) => row.game }] : []),
    {
      id: "points",
      head: "Points",
      words: "Rating points that the seat is worth, with their interval",
      cell: (row) => <Interval value={row.points} low={row.low} high={row.high} as={signed} />,
    },
    {
      id: "drawn",
      head: "",
      words: "The same, drawn; the line is no effect",
      class: "drawn",
      cell: (row) => <Whiskers value={row.points} low={row.low} high={row.high} scale={scale} zero={0} />,
    },
  ];
  return (
    <section>
      <h3>What a seat is worth</h3>
      <Table rows={rows} columns={columns} rowKey={(row) => `${row.game} ${row.seat}`} caption="What a seat is worth" />
    </section>
  );
}

function read(effect: Record<string, unknown>): Effect {
  const number = (name: string) => (typeof effect[name] === "number" ? (effect[name] as number) : null);
  const text = (name: string) => (effect[name] === undefined || effect[name] === null ? "" : String(effect[name]));
  return {
    seat: text("seat"),
    game: text("game"),
    points: number("points"),
    low: number("low"),
    high: number("high"),
    games: number("games"),
  };
}
