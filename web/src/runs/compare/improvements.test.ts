import { expect, test } from "vitest";

import { improvementsIn } from "./improvements";

const began = Date.parse("2026-01-01T00:00:00Z");

test("only a new best is an improvement, with the spend by then", () => {
  const found = improvementsIn({
    scoreSeries: { length: 4, sequence: [5, 9, 12, 20], total: [1, 0.5, 3, 4], best: [1, 1, 3, 4], mean: [] },
    energySeries: { length: 3, sequence: [4, 10, 19], total: [2, 7, 8] },
    timeOf: (at: number) => began + at * 100,
    run: { startedAt: "2026-01-01T00:00:00Z" },
  });
  expect(found).toEqual([
    { scored: 1, fitness: 1, energy: 2, seconds: 0.5 },
    { scored: 3, fitness: 3, energy: 7, seconds: 1.2 },
    { scored: 4, fitness: 4, energy: 8, seconds: 2 },
  ]);
});

test("points beyond the length of a series are ignored, and times may be unknown", () => {
  const found = improvementsIn({
    scoreSeries: { length: 1, sequence: [5, 9], total: [1, 2], best: [1, 2], mean: [] },
    energySeries: { length: 0, sequence: [3], total: [9] },
    timeOf: () => null,
    run: { startedAt: null },
  });
  expect(found).toEqual([{ scored: 1, fitness: 1, energy: 0, seconds: null }]);
});
