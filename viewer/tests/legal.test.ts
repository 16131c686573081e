import { expect, test } from "vitest";
import { between, spotsOf } from "../src/board/spots";
import { choices, matching, readLegal } from "../src/board/legal";

const CHESS = readLegal([
  { action: "a8=Q", parts: ["a7", "a8", "q"] },
  { action: "a8=N", parts: ["a7", "a8", "n"] },
  { action: "a4", parts: ["a2", "a4"] },
])!;

test("a promotion leaves a choice, a pawn's move does not name a spot", () => {
  expect(between(CHESS, "a7", "a8").map((move) => move.action)).toEqual(["a8=Q", "a8=N"]);
  expect(spotsOf(CHESS, null, false).get("a4")).toBeUndefined();
  expect(spotsOf(CHESS, "a2", false).get("a4")?.role).toBe("to");
  expect(spotsOf(CHESS, "a2", false).get("a2")?.role).toBe("selected");
});

test("parts narrow one after the other", () => {
  const risk = readLegal([
    { action: "reinforce Alaska 1", parts: ["reinforce", "Alaska", "1"] },
    { action: "reinforce Alaska 2", parts: ["reinforce", "Alaska", "2"] },
    { action: "reinforce Peru 1", parts: ["reinforce", "Peru", "1"] },
  ])!;
  expect(choices(risk, ["reinforce"]).map((choice) => [choice.value, choice.moves.length])).toEqual([
    ["Alaska", 2],
    ["Peru", 1],
  ]);
  expect(matching(risk, "peru")).toHaveLength(1);
  expect(risk[0]?.from).toBeNull();
});
