import { expect, test } from "vitest";
import { configOf, EMPTY, packed, unpacked } from "../src/newrun/form";

test("what is as it would be anyway is left out", () => {
  const config = configOf({ ...EMPTY, players: ["random", "random"], views: ["list"], answers: ["json", "text"] });
  expect(config).toEqual({
    game: "tictactoe",
    players: ["random", { player: "random", name: "random 2" }],
    prompt: { view: "list" },
    factors: { answer: ["json", "text"] },
  });
});

test("a link brings the form back, and nothing that does not fit", () => {
  const form = { ...EMPTY, players: ["a/b"], repeats: 5, dollars: 2.5 };
  expect(unpacked(packed(form))).toEqual(form);
  expect(unpacked('{"players": "all", "repeats": "x", "kind": 3, "unknown": 1, "dollars": 3}')).toEqual({ ...EMPTY, dollars: 3 });
  expect(unpacked("{")).toEqual(EMPTY);
});
