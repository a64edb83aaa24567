import { expect, test } from "vitest";

import { leading } from "./FigureTable";

test("the highest or the lowest value is best", () => {
  expect(leading([1, 3, 2], "most")).toBe(1);
  expect(leading([null, 3, 2], "least")).toBe(2);
});

test("no value is best in a tie, alone, or without a direction", () => {
  expect(leading([3, 3, 1], "most")).toBeNull();
  expect(leading([null, 3], "most")).toBeNull();
  expect(leading([1, 2], undefined)).toBeNull();
});
