import { expect, test } from "vitest";

import { bandState, chance, confidence, needed, titleOf, told } from "./bands";

const band = (low: number | null, high: number | null, closed = false) => ({ low, high, closed });
const interval = (lower: number | null, upper: number | null) => ({ lower, upper });

test.each([
  [interval(-0.01, null), band(-0.02, null), "cleared"],
  [interval(-0.03, null), band(-0.02, null), "open"],
  [interval(-0.05, -0.03), band(-0.02, null), "missed"],
  [interval(-0.02, null), band(-0.02, null), "open"],
  [interval(-0.02, null), band(-0.02, null, true), "cleared"],
  [interval(null, 0.01), band(null, 0.02), "cleared"],
  [interval(null, null), band(null, 0.02), "open"],
  [interval(-0.01, 0.01), band(-0.02, 0.02), "cleared"],
  [interval(-0.01, 0.03), band(-0.02, 0.02), "open"],
  [interval(0.03, 0.04), band(-0.02, 0.02), "missed"],
  [interval(0, 1), band(null, null), "none"],
])("the interval %o against %o is %s", (given, wanted, state) => {
  expect(bandState(given, wanted)).toBe(state);
});

test("the required range is shown in the unit of the interval", () => {
  expect(needed(band(-0.02, null), true)).toBe("above -2.00%");
  expect(needed(band(0.9, null, true), true)).toBe("at least 90.00%");
  expect(needed(band(null, 0.02, true), true)).toBe("at most 2.00%");
  expect(needed(band(null, 1), false)).toBe("below 1");
  expect(needed(band(-1.5, 1.5), false)).toBe("between -1.5 and 1.5");
});

test("a small share differs from zero, and a missing bound is unbounded", () => {
  expect(told(0.00001, true)).toBe("0.0010%");
  expect(told(0, true)).toBe("0.00%");
  expect(told(null, true)).toBe("unbounded");
});

test("p-values, confidence and titles", () => {
  expect(chance(null)).toBe("–");
  expect(chance(1e-9)).toBe("< 0.0001");
  expect(confidence(0.05)).toBe("95%");
  expect(titleOf("pass_rate").title).toBe("Pass rate of the candidate");
  expect(titleOf("comparisons").title).toBe("comparisons");
});
