import { expect, test } from "vitest";
import type { PresetOption } from "../src/api/types";
import { EMPTY } from "../src/newrun/form";
import { gamesIn, playersIn, presetConfig, repeatsIn } from "../src/newrun/preset";

const preset: PresetOption = {
  name: "study",
  description: "",
  toml: "",
  keys: {},
  config: {
    name: "study",
    games: ["nim", { name: "go", size: 9 }],
    players: ["random", { player: "a/b", name: "cold", temperature: 0 }, "a/c"],
    schedule: { kind: "gauntlet", pool: ["random", "cold"], repeats: 10 },
    prompt: { answer: "tool" },
  },
};

test("an unchanged form leaves a preset as it is", () => {
  expect(presetConfig(preset, EMPTY)).toEqual(preset.config);
  expect([playersIn(preset), gamesIn(preset), repeatsIn(preset)]).toEqual([["random", "cold", "a/c"], ["nim", "go"], 10]);
});

test("what the form changes, and nothing else", () => {
  const form = { ...EMPTY, without: ["cold"], players: ["random", "perfect"], repeats: 1, dollars: 2, seed: "7", name: "mine" };
  expect(presetConfig(preset, form)).toEqual({
    ...preset.config,
    name: "mine",
    players: ["random", "a/c", { player: "random", name: "random 2" }, "perfect"],
    schedule: { kind: "gauntlet", pool: ["random"], repeats: 1 },
    seed: 7,
    budget_usd: 2,
  });
  expect(playersIn(preset)).toHaveLength(3); // the catalogue's own is not touched
});
