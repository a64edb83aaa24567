import { expect, test } from "vitest";

import { differences, flattened } from "./configDiff";

test("equal configurations do not differ, whatever the order of their names", () => {
  expect(differences([{ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 }])).toEqual([]);
});

test("a difference has its path and one value per configuration", () => {
  const found = differences([{ caps: { tokens: 5, cost: 1 } }, { caps: { tokens: 7, cost: 1 } }]);
  expect(found).toEqual([{ path: "caps.tokens", values: ["5", "7"] }]);
});

test("a setting of only one configuration is undefined in the other, and null is a value", () => {
  const found = differences([{ archive: null }, {}]);
  expect(found).toEqual([{ path: "archive", values: ["null", undefined] }]);
});

test("an object and a number differ in every part", () => {
  expect(differences([{ pace: { kind: "steady" } }, { pace: 3 }]).map(({ path }) => path)).toEqual([
    "pace",
    "pace.kind",
  ]);
});

test("texts and empty objects are flattened to text", () => {
  expect(flattened({ a: "x" }).get("a")).toBe("x");
  expect(flattened({ a: {} }).get("a")).toBe("{}");
});
