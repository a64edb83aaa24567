/** Where an interval has to lie: as the API says, and for a metric's own, better than the baseline. */

import type { Band } from "../guard/types";
import type { Interval, JudgedInterval } from "../wire/types";
import type { Metric } from "./wire";

/** Bounds of these rates may be touched; whatever else has to be better has to be so strictly. */
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

/** Whether it is a share of the baseline's; without its metric, the method tells. */
export function isRatio({ method }: Interval, metric: Metric | undefined): boolean {
  return metric === undefined ? method.includes(RATIO) : metric.kind === RATIO;
}
