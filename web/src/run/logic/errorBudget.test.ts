import { expect, test } from "vitest";

import { shareOf, spentBy } from "./errorBudget";

test("the first challenge spends its share of the whole", () => {
  expect(shareOf(0.05, 1)).toBeCloseTo(0.030396355, 9);
  expect(spentBy(0.05, 1)).toBe(shareOf(0.05, 1));
});

test("however many challenges there are, alpha is never reached", () => {
  expect(spentBy(0.05, 100_000)).toBeLessThan(0.05);
  expect(spentBy(0.05, 100_000)).toBeGreaterThan(0.0499);
});

test("challenges before this run are not spent again", () => {
  expect(spentBy(0.05, 2, 3)).toBeCloseTo(shareOf(0.05, 4) + shareOf(0.05, 5), 12);
  expect(spentBy(0.05, 0, 3)).toBe(0);
});
