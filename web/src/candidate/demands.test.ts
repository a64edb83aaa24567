import { expect, test } from "vitest";

import { bandOf, isRatio } from "./demands";
import type { GateInterval, Metric } from "./wire";

const interval = (name: string, more: Partial<GateInterval> = {}): GateInterval => ({
  name,
  estimate: 0,
  lower: 0,
  upper: 0.01,
  alpha: 0.03,
  method: "clopper_pearson",
  must_exceed: null,
  must_stay_below: null,
  ...more,
});
const metric = (kind: string, higher: boolean): Metric => ({ kind, higher_is_better: higher, n: 8 }) as unknown as Metric;

test("the required range is taken from the API", () => {
  const told = interval("mismatch_rate", { must_exceed: null, must_stay_below: 0.02 });
  expect(bandOf(told, undefined)).toEqual({ low: null, high: 0.02, closed: true });
});

test("zero is a bound, not a missing one", () => {
  expect(bandOf(interval("pass_rate_difference", { must_exceed: 0 }), undefined)).toEqual({
    low: 0,
    high: null,
    closed: false,
  });
});

test("a metric is compared with the baseline: ratios with one, differences with zero", () => {
  expect(bandOf(interval("time"), metric("ratio", false))).toMatchObject({ low: null, high: 1 });
  expect(bandOf(interval("score"), metric("mean", true))).toMatchObject({ low: 0, high: null });
});

test("an unknown interval has no requirement", () => {
  expect(bandOf(interval("other"), undefined)).toEqual({ low: null, high: null, closed: false });
});

test("a metric must be strictly better; for rates equality with the bound is enough", () => {
  expect(bandOf(interval("time", { must_stay_below: 1 }), undefined).closed).toBe(false);
  expect(bandOf(interval("pass_rate", { must_exceed: 0.9 }), undefined).closed).toBe(true);
});

test("the metric decides whether an interval is a ratio, or the method if there is no metric", () => {
  expect(isRatio(interval("time", { method: "log_ratio" }), undefined)).toBe(true);
  expect(isRatio(interval("time"), metric("ratio", false))).toBe(true);
  expect(isRatio(interval("mismatch_rate"), undefined)).toBe(false);
});
