// The pieces, as the game itself draws them (games/_chess_views.py): outlines in a box of 100 by 100, and the lines on
// them. They are put into the page once as symbols, so that the board library has no file to ask for.

const SHAPES: Readonly<Record<string, readonly [outline: string, detail: string]>> = {
  p: [
    "M27 88V81C27 73 33 70 38 67C41 60 42 53 43 48H37V42H42A14 14 0 1 1 58 42H63V48H57C58 53 59 60 62 67" +
      "C67 70 73 73 73 81V88Z",
    "",
  ],
  r: ["M23 88V79L31 72L34 45L27 38V18H38V26H45V18H55V26H62V18H73V38L66 45L69 72L77 79V88Z", "M36 45H64M32 72H68"],
  b: [
    "M24 88V81L41 74L39 66C27 57 28 43 42 29A8 8 0 1 1 58 29C72 43 73 57 61 66L59 74L76 81V88Z",
    "M50 38V56M42 46H58M41 74H59",
  ],
  n: [
    "M30 88V80C31 66 45 62 48 51C41 55 37 57 33 62C29 67 20 64 19 57C20 50 27 44 31 34" +
      "C34 26 41 22 46 21L49 12L57 20C73 26 79 46 79 70V88Z",
    "M41 34L46 36",
  ],
  q: [
    "M27 88V79L31 70L19 37A5 5 0 1 1 24 34L35 54L35 29A5 5 0 1 1 39 29L47 52L48 24A5 5 0 1 1 52 24L53 52L61 29A5 5 0 1 1 65 29L65 54L76 34A5 5 0 1 1 81 37L69 70L73 79V88" +
      "Z",
    "M33 71C44 67 56 67 67 71M30 79H70",
  ],
  k: [
    "M27 88V79L32 70C13 58 15 36 33 36C41 36 45 40 47 44V28H39V20H47V12H53V20H61V28H53V44C55 40 59 36 67 36" +
      "C85 36 87 58 68 70L73 79V88Z",
    "M50 44V62M32 70C44 66 56 66 68 70M30 79H70",
  ],
};
const INK = "#1c1c1c";
const PAPER = "#ffffff";
const SVG = "http://www.w3.org/2000/svg";

/** The id under which the board library looks for its sprite. */
const SPRITE = "cm-chessboard-sprite";

function shape(d: string, fill: string, stroke: string): SVGPathElement {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", d);
  path.setAttribute("fill", fill);
  path.setAttribute("stroke", stroke);
  return path;
}

/** Puts the sprite into the page, once. One tile is 40 by 40. */
export function placePieces(): void {
  if (document.getElementById(SPRITE)) return;
  const host = document.createElement("div");
  host.id = SPRITE;
  host.setAttribute("aria-hidden", "true");
  const svg = document.createElementNS(SVG, "svg");
  for (const side of ["w", "b"]) {
    const [fill, line] = side === "w" ? [PAPER, INK] : [INK, PAPER];
    for (const [kind, [outline, detail]] of Object.entries(SHAPES)) {
      const group = document.createElementNS(SVG, "g");
      group.id = `${side}${kind}`;
      group.setAttribute("transform", "scale(0.4)");
      group.setAttribute("stroke-width", "4");
      group.setAttribute("stroke-linejoin", "round");
      group.setAttribute("stroke-linecap", "round");
      group.append(shape(outline, fill, INK));
      if (detail) group.append(shape(detail, "none", line));
      svg.append(group);
    }
  }
  host.append(svg);
  document.body.append(host);
}
