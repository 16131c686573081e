import { expect, test } from "vitest";
import { squaresOf } from "../src/board/san";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

test("pawns, pieces and castling are found", () => {
  expect(squaresOf(START, "e4")).toEqual(["e2", "e4"]);
  expect(squaresOf(START, "Nf3")).toEqual(["g1", "f3"]);
  expect(squaresOf("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O")).toEqual(["e8", "c8"]);
  expect(squaresOf("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+")).toEqual(["a7", "a8"]);
  expect(squaresOf("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "dxe3")).toEqual(["d4", "e3"]);
});

test("of two pieces the named one moves, or the one that is not pinned", () => {
  expect(squaresOf("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rad1")).toEqual(["a1", "d1"]);
  // The knight on d2 is pinned by the bishop on b4.
  expect(squaresOf("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "Nf3")).toEqual(["g1", "f3"]);
});

test("what is no move of this position is nothing", () => {
  expect(squaresOf(START, "Qh5")).toBeNull();
  expect(squaresOf(START, "<script>")).toBeNull();
});
