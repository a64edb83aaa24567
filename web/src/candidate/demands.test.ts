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

test("what the policy wants is taken as the API says it", () => {
  const told = interval("mismatch_rate", { must_exceed: null, must_stay_below: 0.02 });
  expect(bandOf(told, undefined)).toEqual({ low: null, high: 0.02, closed: true });
});

test("nought is a line, not the lack of one", () => {
  expect(bandOf(interval("pass_rate_difference", { must_exceed: 0 }), undefined)).toEqual({
    low: 0,
    high: null,
    closed: false,
  });
});

test("a metric is held against the baseline: ratios against one, differences against nought", () => {
  expect(bandOf(interval("time"), metric("ratio", false))).toMatchObject({ low: null, high: 1 });
  expect(bandOf(interval("score"), metric("mean", true))).toMatchObject({ low: 0, high: null });
});

test("of what nobody knows nothing is demanded", () => {
  expect(bandOf(interval("other"), undefined)).toEqual({ low: null, high: null, closed: false });
});

test("a metric that has to be better has to be so strictly; rates may touch their bounds", () => {
  expect(bandOf(interval("time", { must_stay_below: 1 }), undefined).closed).toBe(false);
  expect(bandOf(interval("pass_rate", { must_exceed: 0.9 }), undefined).closed).toBe(true);
});

test("what is a share of the baseline's is told by the metric, or by the method where there is none", () => {
  expect(isRatio(interval("time", { method: "log_ratio" }), undefined)).toBe(true);
  expect(isRatio(interval("time"), metric("ratio", false))).toBe(true);
  expect(isRatio(interval("mismatch_rate"), undefined)).toBe(false);
});
