import { expect, test } from "vitest";
import { parseSort, sorted, sortText, type Column } from "../src/parts/Table";
import { ago, dollars, fixed, percent, seconds } from "../src/format";
import { scaleOf } from "../src/parts/Interval";

interface Row {
  readonly name: string;
  readonly rating: number | null;
}

const rows: Row[] = [
  { name: "b", rating: 1 },
  { name: "a", rating: null },
  { name: "c", rating: 3 },
];
const columns: Column<Row>[] = [
  { id: "name", head: "", words: "", cell: () => "", value: (row) => row.name },
  { id: "rating", head: "", words: "", cell: () => "", value: (row) => row.rating },
];

test.each([
  ["rating", "bca"],
  ["-rating", "cba"],
  ["name", "abc"],
  ["-name", "cba"],
  ["nothing", "bac"],
  [undefined, "bac"],
])("sorted by %s", (text, wanted) => {
  const order = sorted(rows, columns, parseSort(text));
  expect(order.map((row) => row.name).join("")).toBe(wanted);
});

test("a sort survives the URL", () => {
  for (const text of ["rating", "-seat.1"]) expect(sortText(parseSort(text)!)).toBe(text);
});

test("numbers", () => {
  expect(fixed(-1.25, 1)).toBe("−1.3");
  expect(percent(0.5)).toBe("50%");
  expect(percent(null)).toBe("–");
  expect(dollars(0.004)).toBe("< $0.01");
  expect(dollars(1234.5)).toBe("$1,235");
  expect(seconds(0.25)).toBe("250 ms");
  expect(seconds(3725)).toBe("1 h 2 min");
  expect(ago(100, 100 + 7200)).toBe("2 h ago");
});

test("a scale holds every value and is never empty", () => {
  expect(scaleOf([null, 1, 5])).toMatchObject({ low: expect.closeTo(0.84), high: expect.closeTo(5.16) });
  expect(scaleOf([2])).toEqual({ low: 1, high: 3 });
  expect(scaleOf([null])).toBeNull();
});
