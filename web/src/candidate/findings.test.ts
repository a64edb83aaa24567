import { expect, test } from "vitest";

import { readable, textOf } from "./findings";

test("a domain's payload is unwrapped and named by its kind", () => {
  const told = readable({ domain: "programs", kind: "checked", version: 1, data: { passed: true, cases: 123 } });
  expect(told.kind).toBe("checked");
  expect(told.lines).toEqual([
    { name: "passed", text: "yes" },
    { name: "cases", text: "123" },
  ]);
});

test("empty values are left out; zero and false are not empty", () => {
  const { lines } = readable({ detail: "", failing: [], gains: {}, stage: null, stands_at: 0, asks: false });
  expect(lines.map(({ name }) => name)).toEqual(["stands at", "asks"]);
});

test("nested values are named by their path", () => {
  expect(readable({ gains: { speed: 4.101165882697379 } }).lines).toEqual([{ name: "gains · speed", text: "4.1012" }]);
});

test("a list of records becomes a grid; missing values are dashes", () => {
  const { grids } = readable({ sizes: [{ size: 64, speedup: 6.33 }, { size: 512 }] });
  expect(grids).toEqual([{ name: "sizes", columns: ["size", "speedup"], rows: [["64", "6.33"], ["512", "–"]] }]);
});

test("long lists are truncated, with the number of omitted items", () => {
  expect(textOf(Array.from({ length: 30 }, (_, index) => index))).toMatch(/, 23, and 6 more$/);
});

test("markup in findings stays text", () => {
  expect(readable({ detail: "<b>x</b>" }).lines[0]?.text).toBe("<b>x</b>");
});

test.each([null, undefined])("no findings give no lines: %s", (nothing) => {
  expect(readable(nothing)).toEqual({ kind: null, lines: [], grids: [] });
});
