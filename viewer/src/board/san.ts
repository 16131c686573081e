// The squares of a chess move in standard algebraic notation, for arrows on the board. The moves come from the game,
// which has checked them; so this only has to find which piece is meant.

const STEPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  N: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
  R: [[1, 0], [-1, 0], [0, 1], [0, -1]],
  B: [[1, 1], [1, -1], [-1, 1], [-1, -1]],
  Q: [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]],
  K: [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]],
};
const SLIDES = "RBQ";
const MOVE = /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h])([1-8])(?:=?[QRBN])?[+#]?[!?]*$/;

export type Squares = Map<string, string>; // "e4" -> piece letter as in FEN

/** Pieces by square, and whose move it is. */
export function readFen(fen: string): { pieces: Squares; white: boolean } {
  const [rows = "", side = "w"] = fen.split(" ");
  const pieces: Squares = new Map();
  rows.split("/").forEach((row, i) => {
    let column = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") column += Number(letter);
      else pieces.set(name(column++, 7 - i), letter);
    }
  });
  return { pieces, white: side === "w" };
}

function name(column: number, row: number): string {
  return `${"abcdefgh"[column] ?? "?"}${row + 1}`;
}

function place(square: string): [number, number] {
  return [square.charCodeAt(0) - 97, Number(square[1]) - 1];
}

/** Where a piece on a square can go, or what it attacks: own pieces are not told from others. */
function reach(pieces: Squares, square: string, kind: string): Set<string> {
  const found = new Set<string>();
  const [x, y] = place(square);
  for (const [dx, dy] of STEPS[kind] ?? []) {
    for (let n = 1; n < 8; n++) {
      const [a, b] = [x + n * dx, y + n * dy];
      if (a < 0 || a > 7 || b < 0 || b > 7) break;
      found.add(name(a, b));
      if (!SLIDES.includes(kind) || pieces.has(name(a, b))) break;
    }
  }
  return found;
}

function pawnReaches(pieces: Squares, from: string, to: string, white: boolean): boolean {
  const [[x, y], [a, b]] = [place(from), place(to)];
  const up = white ? 1 : -1;
  if (x !== a) return Math.abs(x - a) === 1 && b === y + up;
  const double = b === y + 2 * up && y === (white ? 1 : 6) && !pieces.has(name(x, y + up));
  return (b === y + up || double) && !pieces.has(to);
}

function kingIsSafe(pieces: Squares, white: boolean, from: string, to: string): boolean {
  const after = new Map(pieces);
  after.set(to, pieces.get(from) as string);
  after.delete(from);
  const king = [...after].find(([, letter]) => letter === (white ? "K" : "k"))?.[0];
  if (!king) return true;
  return ![...after].some(([square, letter]) => {
    if ((letter === letter.toUpperCase()) === white) return false;
    const kind = letter.toUpperCase();
    if (kind !== "P") return reach(after, square, kind).has(king);
    const [[x, y], [a, b]] = [place(square), place(king)];
    return Math.abs(x - a) === 1 && b === y + (white ? -1 : 1);
  });
}

/** From and to of a move in this position; null where it cannot be told. Takes coordinates ("e2e4") too. */
export function squaresOf(fen: string, move: string): [string, string] | null {
  const plain = /^([a-h][1-8])-?x?([a-h][1-8])[qrbn]?$/.exec(move.trim());
  if (plain) return [plain[1] as string, plain[2] as string];
  const { pieces, white } = readFen(fen);
  const castling = /^[O0]-[O0](-[O0])?[+#]?$/.exec(move.trim());
  if (castling) {
    const row = white ? "1" : "8";
    return [`e${row}`, `${castling[1] ? "c" : "g"}${row}`];
  }
  const read = MOVE.exec(move.trim());
  if (!read) return null;
  const [, piece, file, rank] = read;
  const kind = piece || "P";
  const to = `${read[4]}${read[5]}`;
  const letter = white ? kind : kind.toLowerCase();
  const found = [...pieces]
    .filter(([square, held]) => held === letter && (!file || square[0] === file) && (!rank || square[1] === rank))
    .map(([square]) => square)
    .filter((from) => (kind === "P" ? pawnReaches(pieces, from, to, white) : reach(pieces, from, kind).has(to)));
  const from = found.length > 1 ? found.find((square) => kingIsSafe(pieces, white, square, to)) : found[0];
  return from ? [from, to] : null;
}
