import { expect, test } from "vitest";

import { aligned, curveOf, secondsOf } from "./curves";
import type { Improvement } from "./curves";

const at = (scored: number, fitness: number, energy: number | null = null): Improvement => ({
  scored,
  fitness,
  energy,
  seconds: null,
});

test("a curve extends horizontally to the current position of the run", () => {
  expect(curveOf("a", [at(1, 0.5), at(4, 2)], "scored", 9).points).toEqual([[1, 0.5], [4, 2], [9, 2]]);
});

test("a run that ended with an improvement has no horizontal end", () => {
  expect(curveOf("a", [at(1, 0.5)], "scored", 1).points).toEqual([[1, 0.5]]);
});

test("unknown values are left out, not drawn at zero", () => {
  expect(curveOf("a", [at(1, 0.5), at(2, 1, 30)], "energy", 40).points).toEqual([[30, 1], [40, 1]]);
});

test("a run without a score has no curve", () => {
  expect(curveOf("a", [], "scored", 12).points).toEqual([]);
});

test("curves are aligned: constant between improvements, null before the first and after the end", () => {
  const one = { runId: "a", points: [[1, 5], [4, 7]] as const };
  const two = { runId: "b", points: [[2, 1], [9, 1]] as const };
  expect(aligned([one, two])).toEqual([
    [1, 2, 4, 9],
    [5, 5, 7, null],
    [null, 1, 1, 1],
  ]);
});

test("seconds count from the start to the last event", () => {
  expect(secondsOf({ started_at: "2026-01-01T00:00:00Z", last_event_at: "2026-01-01T00:00:02.5Z" })).toBe(2.5);
  expect(secondsOf({ started_at: null, last_event_at: "2026-01-01T00:00:00Z" })).toBeNull();
});
