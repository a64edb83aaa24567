import { describe, expect, test } from "vitest";

import { roundMarks, scaleOf } from "./scale";
import { drawnPoints } from "./thin";

describe("scales", () => {
  test("marks are round and within", () => {
    expect(roundMarks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(roundMarks(-3, 17, 4)).toEqual([0, 5, 10, 15]);
    expect(roundMarks(1, 1, 5)).toEqual([1]);
  });

  test("every value has its place; single values and no values have a scale too", () => {
    const scale = scaleOf([2, 4]);
    expect(scale.place(2)).toBeGreaterThan(0);
    expect(scale.place(4)).toBeLessThan(1);
    expect(scaleOf([3]).place(3)).toBeCloseTo(0.5);
    expect(scaleOf([]).low).toBeLessThan(scaleOf([]).high);
  });
});

describe("thinning a series", () => {
  const values = Array.from({ length: 10_000 }, (_, index) => (index === 7_777 ? 99 : Math.sin(index / 100)));

  test("keeps the ends and the peak", () => {
    const points = drawnPoints(values, values.length, 500);
    expect(points.length).toBeLessThanOrEqual(500);
    expect(points[0]).toBe(0);
    expect(points.at(-1)).toBe(9_999);
    expect(points).toContain(7_777);
  });

  test("keeps a short series unchanged, and ignores values beyond its length", () => {
    expect(drawnPoints([5, 6, 7], 2, 10)).toEqual([0, 1]);
  });
});
