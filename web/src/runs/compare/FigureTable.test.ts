import { expect, test } from "vitest";

import { leading } from "./FigureTable";

test("the most or the least is ahead", () => {
  expect(leading([1, 3, 2], "most")).toBe(1);
  expect(leading([null, 3, 2], "least")).toBe(2);
});

test("nobody is ahead in a draw, alone, or where no way is better", () => {
  expect(leading([3, 3, 1], "most")).toBeNull();
  expect(leading([null, 3], "most")).toBeNull();
  expect(leading([1, 2], undefined)).toBeNull();
});
