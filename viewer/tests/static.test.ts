import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { keyOf, Problem } from "../src/api/source";
import { embeddedData, StaticSource, type Embedded } from "../src/api/static";
import type { MatchDetail, MatchEntry, MatchPage } from "../src/api/types";

function entry(
  number: number,
  white: string,
  black: string,
  score: number | null,
  more: Partial<MatchEntry> = {},
): MatchEntry {
  const seat = (name: string, entrant: string, points: number | null) =>
    ({ seat: name, title: name, entrant, kind: "contestant", score: points, payoff: null }) as const;
  return {
    id: `m${number}`,
    number,
    game: "chess",
    options: {},
    condition: { view: "text" },
    seats: [seat("white", white, score), seat("black", black, score === null ? null : 1 - score)],
    status: "finished",
    ending: "completed",
    why: "Black is mated",
    offender: null,
    moves: 10 * number,
    attempts: 20,
    bad_attempts: 0,
    group: "g",
    finished: 1000 + number,
    seconds: 5,
    ...more,
  };
}

const MATCHES = [
  entry(1, "a", "b", 1),
  entry(2, "b", "a", 0.5),
  entry(3, "a", "c", 0, { condition: { view: "fen" }, bad_attempts: 2 }),
  entry(4, "a", "a", 1, { game: "go" }),
  entry(5, "c", "b", null, { status: "running", moves: null, ending: null, why: null }),
];
const DETAIL = {
  steps: [{ attempts: [{ kind: "invalid_format", notation: "e4", text: "I say Knight!", rationale: "", reason: "" }] }],
} as unknown as MatchDetail;
const EMBEDDED: Embedded = {
  session: { version: "1", live: false, can_run: false, run: "r" },
  responses: {
    "/api/runs/r/matches": { matches: MATCHES, total: 5, next: null },
    "/api/runs/r/matches/m3": DETAIL,
    "/api/runs/r/leaderboard?counting=played": { rows: [] },
  },
};
const source = new StaticSource(EMBEDDED);
const ids = async (query: Record<string, string>) =>
  (await source.get<MatchPage>("/api/runs/r/matches", query)).matches.map((match) => match.id);

describe("matches of a static page", () => {
  test.each([
    [{}, ["m1", "m2", "m3", "m4", "m5"]],
    [{ player: "a" }, ["m1", "m2", "m3", "m4"]],
    [{ player: "a", opponent: "b" }, ["m1", "m2"]],
    [{ player: "a", opponent: "a" }, ["m4"]],
    [{ player: "a", result: "win" }, ["m1", "m4"]],
    [{ player: "a", result: "draw" }, ["m2"]],
    [{ player: "a", result: "loss" }, ["m3", "m4"]],
    [{ game: "go" }, ["m4"]],
    [{ status: "unfinished" }, ["m5"]],
    [{ status: "completed" }, ["m1", "m2", "m3", "m4"]],
    [{ ending: "Black is mated", game: "go" }, ["m4"]],
    [{ min_moves: "20", max_moves: "30" }, ["m2", "m3"]],
    [{ "factor.view": "fen" }, ["m3"]],
    [{ kind: "invalid_format" }, ["m3"]],
    [{ q: "KNIGHT" }, ["m3"]],
    [{ sort: "moves", order: "desc" }, ["m4", "m3", "m2", "m1", "m5"]],
    [{ sort: "moves" }, ["m1", "m2", "m3", "m4", "m5"]],
  ])("%j", async (query, wanted) => {
    expect(await ids(query)).toEqual(wanted);
  });

  test("pages follow each other without a gap", async () => {
    const first = await source.get<MatchPage>("/api/runs/r/matches", { size: "2" });
    expect(first.total).toBe(5);
    expect(await ids({ size: "2", after: first.next ?? "" })).toEqual(["m3", "m4"]);
    expect((await source.get<MatchPage>("/api/runs/r/matches", { size: "2", after: "4" })).next).toBeNull();
  });
});

describe("a static page", () => {
  test("answers what was embedded, whatever the order of the query", async () => {
    expect(await source.get("/api/runs/r/leaderboard", { game: "", counting: "played" })).toEqual({ rows: [] });
    expect(keyOf("/p", { b: "2", a: "x y", c: undefined })).toBe("/p?a=x%20y&b=2");
  });

  test("says what it has not, and starts nothing", async () => {
    await expect(source.get("/api/runs/r/leaderboard", { game: "go" })).rejects.toThrow(/selection is not part/);
    await expect(source.get("/api/runs/r/matches/m1")).rejects.toBeInstanceOf(Problem);
    await expect(source.post()).rejects.toThrow(/ludometer view/);
  });

  const page = (text: string) => ({ getElementById: () => ({ textContent: text }) }) as unknown as Document;

  test("reads its data plain and packed", async () => {
    const json = JSON.stringify(EMBEDDED);
    expect(await embeddedData(page(json))).toEqual(EMBEDDED);
    const packed = gzipSync(json).toString("base64").replace(/.{76}/g, "$&\n");
    expect(await embeddedData(page(`\n${packed}\n`))).toEqual(EMBEDDED);
    expect(await embeddedData(page(""))).toBeNull();
  });
});
