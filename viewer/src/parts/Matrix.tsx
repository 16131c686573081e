// The heat map of head-to-head scores. Its numbers say what its colours say.
import { useState } from "preact/hooks";
import type { HeadCell, HeadToHead } from "../api/types";
import { count, percent, plural } from "../format";
import { href } from "../router";
import { plain } from "../text";
import { PlainText } from "./TextBlock";

interface Props {
  readonly run: string;
  readonly shape: HeadToHead;
  readonly filters: Readonly<Record<string, string>>;
}

export function Matrix({ run, shape, filters }: Props) {
  const [looked, setLooked] = useState<HeadCell>();
  const cells = new Map(shape.cells.map((cell) => [pair(cell.row, cell.column), cell]));
  const link = (cell: HeadCell) =>
    href(["run", run, "matches"], { ...filters, player: cell.row, opponent: cell.column });
  return (
    <>
      <Legend />
      <div class="scroll matrix-scroll" tabIndex={0} role="region" aria-label="Head-to-head scores">
        <table class="matrix">
          <caption class="unseen">The score of the entrant of each row against the entrant of each column</caption>
          <thead>
            <tr>
              <td />
              {shape.entrants.map((name) => (
                <th key={name} scope="col" title={plain(name)}>
                  <span>
                    <PlainText text={name} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shape.entrants.map((row) => (
              <tr key={row}>
                <th scope="row" title={plain(row)}>
                  <PlainText text={row} />
                </th>
                {shape.entrants.map((column) => (
                  <Cell
                    key={column}
                    cell={cells.get(pair(row, column))}
                    self={row === column}
                    link={link}
                    look={setLooked}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="matrix-words num" aria-live="polite">
        {looked ? told(looked) : "Open a cell to see its matches."}
      </p>
    </>
  );
}

const pair = (row: string, column: string) => JSON.stringify([row, column]);

interface CellProps {
  readonly cell: HeadCell | undefined;
  readonly self: boolean;
  readonly link: (cell: HeadCell) => string;
  readonly look: (cell: HeadCell) => void;
}

function Cell({ cell, self, link, look }: CellProps) {
  if (!cell || (cell.games === 0 && cell.canceled === 0 && cell.forfeits === 0)) {
    return <td class={self ? "matrix-self" : "matrix-none"}>{self ? "" : "·"}</td>;
  }
  const { score } = cell;
  // From one half, so that the middle of the scale means an even score.
  const strength = score === null ? 0 : Math.abs(score - 0.5) * 200;
  const side = score === null ? "none" : score >= 0.5 ? "high" : "low";
  return (
    <td class={`matrix-cell matrix-${side}`} style={{ "--strength": `${strength.toFixed(0)}%` }}>
      <a href={link(cell)} onMouseEnter={() => look(cell)} onFocus={() => look(cell)}>
        <span class="unseen">
          {plain(cell.row)} against {plain(cell.column)}:{" "}
        </span>
        <b>{score === null ? "–" : percent(score)}</b>
        <small>{cell.low !== null && cell.high !== null && `${round(cell.low)}–${round(cell.high)}`}</small>
        <small>{count(cell.counted || cell.games)}</small>
      </a>
    </td>
  );
}

const round = (share: number) => Math.round(100 * share);

function told(cell: HeadCell): string {
  const interval = cell.low !== null && cell.high !== null ? ` (${percent(cell.low)} to ${percent(cell.high)})` : "";
  const parts = [
    cell.score === null ? "" : `of ${plural(cell.counted, "game")}`,
    `${plural(cell.games, "match", "matches")}: ${plural(cell.wins, "win")}, ${plural(cell.draws, "draw")}, ${plural(cell.losses, "loss", "losses")}`,
    cell.forfeits ? plural(cell.forfeits, "forfeit") : "",
    cell.canceled ? `${count(cell.canceled)} canceled` : "",
  ];
  return `${plain(cell.row)} against ${plain(cell.column)}: ${percent(cell.score)}${interval} ${parts.filter(Boolean).join("; ")}`;
}

function Legend() {
  return (
    <p class="matrix-legend muted small">
      <span>0%</span>
      <span class="matrix-scale" aria-hidden="true" />
      <span>100%</span>
      <span>Score of the row against the column; below it the interval and the number of games.</span>
    </p>
  );
}
