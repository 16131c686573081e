import { cornerOf, SQUARES } from "./ChessLayer";

interface Props {
  turned: boolean;
  last: readonly string[]; // squares of the latest move
  chosen: string | null;
  check: string | null;
}

function isLight(square: string): boolean {
  return (square.charCodeAt(0) + Number(square[1])) % 2 === 1;
}

/** The squares under the pieces. The library's own are transparent, so that a marked square tints no piece. */
export function ChessGround({ turned, last, chosen, check }: Props) {
  return (
    <svg class="chess-ground" viewBox="0 0 8 8" aria-hidden="true">
      {SQUARES.map((square) => {
        const [x, y] = cornerOf(square, turned);
        const mark = square === chosen ? "chess-chosen" : square === check ? "chess-check" : last.includes(square) ? "chess-last" : "";
        return (
          <g key={square}>
            <rect class={isLight(square) ? "chess-light" : "chess-dark"} x={x} y={y} width="1" height="1" />
            {mark ? <rect class={mark} x={x} y={y} width="1" height="1" /> : null}
          </g>
        );
      })}
    </svg>
  );
}
