/** The required range of an interval: given by the API; for a metric's delta, better than the baseline. */

import type { Band } from "../guard/types";
import type { Interval, JudgedInterval } from "../wire/types";
import type { Metric } from "./wire";

/** For these rates equality with the bound is enough; all others must be strictly better. */
const CLOSED = new Set(["mismatch_rate", "pass_rate"]);

export function bandOf(interval: JudgedInterval, metric: Metric | undefined): Band {
  const low = interval.must_exceed ?? null;
  const high = interval.must_stay_below ?? null;
  if (low !== null || high !== null) return { low, high, closed: CLOSED.has(interval.name) };
  return metric === undefined ? { low: null, high: null, closed: false } : better(metric);
}

function better({ kind, higher_is_better }: Metric): Band {
  const same = kind === RATIO ? 1 : 0;
  return higher_is_better ? { low: same, high: null, closed: false } : { low: null, high: same, closed: false };
}

const RATIO = "ratio";

/** Whether the interval is a ratio to the baseline; without its metric, the name of the method decides. */
export function isRatio({ method }: Interval, metric: Metric | undefined): boolean {
  return metric === undefined ? method.includes(RATIO) : metric.kind === RATIO;
}
