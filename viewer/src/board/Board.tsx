import { useEffect, useMemo, useState } from "preact/hooks";
import { ChessBoard } from "./ChessBoard";
import type { Legal } from "./legal";
import type { Mark } from "./marks";
import { between, spotsOf } from "./spots";
import { SvgBoard } from "./SvgBoard";
import { TextBoard } from "./TextBoard";

/** A state as the API shows it. */
export interface Shown {
  svg: string | null;
  text: string;
  board: Record<string, unknown> | null;
}

interface Props {
  shown: Shown;
  label: string;
  turned?: boolean; // the second player's side below, where the board can be turned
  before?: Shown | undefined; // the state in which the marks' moves are made
  marks?: readonly Mark[];
  legal?: readonly Legal[] | null; // what can be done now; null or left out: only to look at
  onMove?: (action: string) => void;
}

const NO_MARKS: readonly Mark[] = [];
const NO_MOVES: readonly Legal[] = [];

function fenOf(shown: Shown | undefined): string | undefined {
  const board = shown?.board;
  return board?.["kind"] === "chess" && typeof board["fen"] === "string" ? board["fen"] : undefined;
}

/** The board of any game: the library's for chess, else the game's own drawing, else the state in words. */
export function Board({ shown, label, turned = false, before, marks = NO_MARKS, legal, onMove }: Props) {
  const moves = legal ?? NO_MOVES;
  const [from, setFrom] = useState<string | null>(null);
  const [open, setOpen] = useState<Legal[]>([]); // a move with a choice left
  useEffect(() => {
    setFrom(null);
    setOpen([]);
  }, [legal]);
  const fen = fenOf(shown);
  const spots = useMemo(() => spotsOf(moves, from, fen === undefined), [moves, from, fen === undefined]);

  const choose = (found: Legal[]): boolean => {
    const only = found.length === 1 ? found[0] : undefined;
    if (only) onMove?.(only.action);
    else setOpen(found);
    if (found.length) setFrom(null);
    return only !== undefined;
  };
  const press = (key: string) => {
    const spot = spots.get(key);
    setOpen([]);
    if (!spot) setFrom(null);
    else if (spot.role === "act") onMove?.(key);
    else if (spot.role === "from") setFrom(key);
    else if (spot.role === "selected") setFrom(null);
    else if (from !== null) choose(between(moves, from, key));
  };

  return (
    <div class="board">
      {fen !== undefined ? (
        <ChessBoard
          fen={fen}
          before={fenOf(before)}
          label={label}
          turned={turned}
          last={lastOf(shown)}
          check={typeof shown.board?.["check"] === "string" ? shown.board["check"] : null}
          marks={marks}
          spots={spots}
          onSpot={press}
          onMove={(a, b) => choose(between(moves, a, b))}
        />
      ) : shown.svg !== null ? (
        <SvgBoard svg={shown.svg} label={label} marks={marks} spots={spots} onSpot={press} />
      ) : (
        <TextBoard text={shown.text} label={label} />
      )}
      {open.length > 1 ? (
        <div class="board-choice" role="group" aria-label="Which of these moves?">
          {open.map((move, i) => (
            <button key={move.action} type="button" autofocus={i === 0} onClick={() => onMove?.(move.action)}>
              {move.action}
            </button>
          ))}
          <button type="button" class="quiet" onClick={() => setOpen([])}>
            Cancel
          </button>
        </div>
      ) : null}
    </div>
  );
}

function lastOf(shown: Shown): string[] {
  const last = shown.board?.["last"];
  return Array.isArray(last) ? last.filter((square): square is string => typeof square === "string") : [];
}
