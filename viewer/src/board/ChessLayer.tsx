import { useLayoutEffect, useRef } from "preact/hooks";
import { arrow } from "./marks";
import { makeCurrent, rove } from "./rove";
import { readFen } from "./san";
import type { Spot } from "./spots";

interface Props {
  fen: string;
  label: string;
  turned: boolean;
  arrows: readonly { kind: string; ends: [string, string] }[];
  spots: ReadonlyMap<string, Spot>;
  onSpot: ((key: string) => void) | undefined;
}

const PIECES: Readonly<Record<string, string>> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};
export const SQUARES = [..."87654321"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));

/** The corner of a square, in squares from the upper left of the board as it lies. */
export function cornerOf(square: string, turned: boolean): [number, number] {
  const [x, y] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  return turned ? [7 - x, y] : [x, 7 - y];
}

function wordsFor(letter: string | undefined): string {
  if (!letter) return "empty";
  return `${letter === letter.toUpperCase() ? "white" : "black"} ${PIECES[letter.toLowerCase()] ?? ""}`;
}

/** Over the pieces: arrows, and a square each that a keyboard and a screen reader can press. */
export function ChessLayer({ fen, label, turned, arrows, spots, onSpot }: Props) {
  const root = useRef<SVGSVGElement>(null);
  const lines = useRef<SVGGElement>(null);
  const { pieces } = readFen(fen);
  const corner = (square: string) => cornerOf(square, turned);
  const buttons = () => [...(root.current?.querySelectorAll<SVGRectElement>("[data-square]") ?? [])];

  useLayoutEffect(() => {
    lines.current?.replaceChildren(
      ...arrows.map(({ kind, ends: [from, to] }) => {
        const [[a, b], [c, d]] = [corner(from), corner(to)];
        return arrow(a + 0.5, b + 0.5, c + 0.5, d + 0.5, 0.14, kind);
      }),
    );
  });
  useLayoutEffect(() => {
    if (!spots.size) return;
    const all = buttons();
    makeCurrent(all, all.find((b) => b.getAttribute("tabindex") === "0") ?? all.find((b) => spots.has(keyOf(b))));
  }, [spots.size > 0]);

  // Between two turns the squares stay, so that the keyboard stays where it is.
  const played = useRef(false);
  played.current ||= spots.size > 0;
  const active = played.current;
  return (
    <svg
      ref={root}
      class="chess-layer"
      viewBox="0 0 8 8"
      role={active ? "group" : "img"}
      aria-label={label}
      onKeyDown={(event) => void (active && rove(event, buttons(), (spot) => onSpot?.(keyOf(spot))))}
    >
      {SQUARES.map((square) => {
        const [x, y] = corner(square);
        const spot = spots.get(square);
        const words = `${square}, ${wordsFor(pieces.get(square))}`;
        return (
          <g key={square}>
            {spot?.role === "to" ? (
              <circle class="chess-target" cx={x + 0.5} cy={y + 0.5} r={pieces.has(square) ? 0.45 : 0.15} />
            ) : null}
            {active ? (
              <rect
                class="chess-square"
                data-square={square}
                x={x}
                y={y}
                width="1"
                height="1"
                tabindex={-1}
                role="button"
                aria-disabled={spot ? undefined : "true"}
                aria-pressed={spot?.role === "selected" ? "true" : undefined}
                aria-label={spot?.role === "to" ? `${words}, can be moved to` : words}
                onClick={(event) => {
                  // Only keys and screen readers get here: for a pointer this layer is air (see the style).
                  event.stopPropagation();
                  onSpot?.(square);
                }}
              />
            ) : null}
          </g>
        );
      })}
      <g ref={lines} />
    </svg>
  );
}

function keyOf(element: Element): string {
  return element.getAttribute("data-square") ?? "";
}
