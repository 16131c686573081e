import type { Chessboard } from "cm-chessboard/src/Chessboard.js";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { makeChessboard } from "./chess_library";
import { ChessGround } from "./ChessGround";
import { ChessLayer } from "./ChessLayer";
import type { Mark } from "./marks";
import { squaresOf } from "./san";
import type { Spot } from "./spots";

interface Props {
  fen: string;
  before?: string | undefined; // the position that the marks' moves are made in; this one where left out
  label: string;
  turned: boolean; // black below
  last?: readonly string[]; // squares of the move that led here
  check?: string | null; // the square of a king in check
  marks?: readonly Mark[];
  spots?: ReadonlyMap<string, Spot>;
  onSpot?: (key: string) => void;
  onMove?: (from: string, to: string) => boolean; // whether there is such a move
}

const NONE: ReadonlyMap<string, Spot> = new Map();

/** Chess on the library's board: pieces glide, and are dragged or clicked. The keyboard has a layer of its own. */
export function ChessBoard(props: Props) {
  const { fen, turned, label, spots = NONE } = props;
  const host = useRef<HTMLDivElement>(null);
  const board = useRef<Chessboard | null>(null);
  const now = useRef(props);
  now.current = props;

  useLayoutEffect(() => {
    if (!host.current) return;
    board.current = makeChessboard(host.current, fen, turned ? "b" : "w");
    return () => {
      board.current?.destroy();
      board.current = null;
    };
  }, [turned]);

  useEffect(() => void board.current?.setPosition(fen, true), [fen]);

  const pressable = spots.size > 0;
  useEffect(() => {
    const shown = board.current;
    if (!shown || !pressable) return;
    shown.enableMoveInput((event) => {
      const { spots: current = NONE, onSpot, onMove } = now.current;
      if (event.type === "moveInputStarted") {
        const role = current.get(event.squareFrom)?.role;
        if (role === "from") onSpot?.(event.squareFrom);
        return role === "from" || role === "selected";
      }
      if (event.type === "validateMoveInput" && event.squareTo) {
        return onMove?.(event.squareFrom, event.squareTo) ?? false;
      }
      if (event.type === "moveInputCanceled" && current.get(event.squareFrom)?.role === "selected") {
        onSpot?.(event.squareFrom); // lets go of it
      }
      return true;
    });
    return () => {
      if (board.current === shown) shown.disableMoveInput(); // else it is gone already, with its input
    };
  }, [pressable, turned]);

  const arrows = (props.marks ?? []).flatMap((mark) => {
    const ends = squaresOf(props.before ?? fen, mark.action);
    return ends ? [{ kind: mark.kind, ends }] : [];
  });
  return (
    <div class="chess-board">
      <ChessGround
        turned={turned}
        last={props.last ?? []}
        chosen={[...spots].find(([, spot]) => spot.role === "selected")?.[0] ?? null}
        check={props.check ?? null}
      />
      <div ref={host} class="chess-host" aria-hidden="true" />
      <ChessLayer
        fen={fen}
        label={label}
        turned={turned}
        arrows={arrows}
        spots={spots}
        onSpot={props.onSpot}
      />
    </div>
  );
}
