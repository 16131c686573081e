import { describe, expect, test } from "vitest";
import { foldAt, visible } from "../src/text";

const shown = (text: string) =>
  visible(text)
    .map((piece) => piece.text)
    .join("");

describe("text of others", () => {
  test.each([
    ["\u202egnp.exe", "\\u202egnp.exe"],
    ["\u001b[31mred", "\\u001b[31mred"],
    ["zero\u200bwidth", "zero\\u200bwidth"],
    ["a\ud800b", "a\\ud800b"],
    ["\u{e0041}", "\\udb40\\udc41"],
    ["nul\u0000", "nul\\u0000"],
    ["\ufeff", "\\ufeff"],
  ])("%j is written out", (text, wanted) => {
    expect(shown(text)).toBe(wanted);
    expect(visible(text).some((piece) => piece.hidden)).toBe(true);
  });

  test.each(["plain", "tab\tand\nline", "😀 ünï ½ العربية", "</script><b>&amp;"])("%j stays as it is", (text) => {
    expect(visible(text)).toEqual([{ text, hidden: false }]);
  });

  test("a megabyte of mixed controls makes few pieces and loses nothing", () => {
    const text = "a\u202e".repeat(500_000);
    const pieces = visible(text);
    expect(pieces.length).toBeLessThan(3000);
    expect(shown(text)).toBe("a\\u202e".repeat(500_000));
  });

  test("marks cannot pile up", () => {
    expect(shown(`e${"\u0301".repeat(5000)}x`)).toBe(`e${"\u0301".repeat(4)}x`);
  });

  test("long text is folded, a little too much is not", () => {
    expect(foldAt("x".repeat(10_000), 3000)).toBe(3000);
    expect(foldAt("x".repeat(3100), 3000)).toBe(3100);
    expect(foldAt("line\n".repeat(500), 3000)).toBeLessThan(500);
    expect(foldAt("short", 3000)).toBe(5);
  });

  test("no surrogate pair is cut", () => {
    const text = "😀".repeat(5000);
    const cut = text.slice(0, foldAt(text, 3001));
    expect(visible(cut).some((piece) => piece.hidden)).toBe(false);
  });
});
