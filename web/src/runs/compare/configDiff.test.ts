import { expect, test } from "vitest";

import { differences, flattened } from "./configDiff";

test("equal configurations do not differ, whatever the order of their names", () => {
  expect(differences([{ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 }])).toEqual([]);
});

test("a difference is named by its path, with a value for each", () => {
  const found = differences([{ caps: { tokens: 5, cost: 1 } }, { caps: { tokens: 7, cost: 1 } }]);
  expect(found).toEqual([{ path: "caps.tokens", values: ["5", "7"] }]);
});

test("what only one has is undefined in the other, and null is a value", () => {
  const found = differences([{ archive: null }, {}]);
  expect(found).toEqual([{ path: "archive", values: ["null", undefined] }]);
});

test("where one has an object and the other a number, each part differs", () => {
  expect(differences([{ pace: { kind: "steady" } }, { pace: 3 }]).map(({ path }) => path)).toEqual([
    "pace",
    "pace.kind",
  ]);
});

test("a text that looks like a number is told from nothing else than itself", () => {
  expect(flattened({ a: "x" }).get("a")).toBe("x");
  expect(flattened({ a: {} }).get("a")).toBe("{}");
});
