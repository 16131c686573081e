import { describe, expect, test } from "vitest";
import { href, matchPath, parseHash } from "../src/router";

describe("hash routes", () => {
  test("a link and what it is read as are the same place", () => {
    const link = href(["run", "a run/é", "matches"], { player: "x & y=?#", game: "", "factor.view": "as text" });
    expect(link).toBe("#/run/a%20run%2F%C3%A9/matches?player=x+%26+y%3D%3F%23&factor.view=as+text");
    const place = parseHash(link);
    expect(matchPath("/run/:run/matches", place.path)).toEqual({ run: "a run/é" });
    expect(place.query).toEqual({ player: "x & y=?#", "factor.view": "as text" });
  });

  test.each(["", "#", "#/", "#//"])("%j is the start", (hash) => {
    expect(matchPath("/", parseHash(hash).path)).toEqual({});
  });

  test("an optional parameter may be missing, nothing may be left over", () => {
    const pattern = "/run/:run/match/:match/:ply?";
    expect(matchPath(pattern, "/run/a/match/m1")).toEqual({ run: "a", match: "m1" });
    expect(matchPath(pattern, "/run/a/match/m1/12")).toEqual({ run: "a", match: "m1", ply: "12" });
    expect(matchPath(pattern, "/run/a/match/m1/12/x")).toBeNull();
    expect(matchPath(pattern, "/run/a")).toBeNull();
    expect(matchPath("/new", "/run")).toBeNull();
  });

  test("a broken escape is taken as it stands", () => {
    expect(matchPath("/run/:run", "/run/%E0%A4%A")).toEqual({ run: "%E0%A4%A" });
  });
});
