/** Where an interval has to lie: as the API says, and for a metric's own, better than the baseline. */

import type { Band } from "../guard/types";
import type { GateInterval, Metric } from "./wire";

/** Bounds of rates may be touched; what has to be better has to be so strictly. */
export function bandOf(interval: GateInterval, metric: Metric | undefined): Band {
  const low = interval.must_exceed ?? null;
  const high = interval.must_stay_below ?? null;
  if (low !== null || high !== null) return { low, high, closed: interval.name !== "pass_rate_difference" };
  return metric === undefined ? { low: null, high: null, closed: false } : better(metric);
}

function better({ kind, higher_is_better }: Metric): Band {
  const same = isRatio(kind) ? 1 : 0;
  return higher_is_better ? { low: same, high: null, closed: false } : { low: null, high: same, closed: false };
}

export const isRatio = (kind: string | undefined): boolean => kind === "ratio";
