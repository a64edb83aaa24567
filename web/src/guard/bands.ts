/** Whether an interval is inside the required range, and what that means in words. The words equal the gate page's. */

import type { Interval } from "../wire/types";
import type { Band } from "./types";

export type BandState = "cleared" | "missed" | "open" | "none";

const atLeast = (bound: number | null): number => bound ?? -Infinity;
const atMost = (bound: number | null): number => bound ?? Infinity;

/** The state of an interval; `none` without a requirement. A missing bound is infinite. */
export function bandState(interval: Pick<Interval, "lower" | "upper">, band: Band): BandState {
  if (band.low === null && band.high === null) return "none";
  const lowest = atLeast(interval.lower);
  const highest = atMost(interval.upper);
  if (highest < atLeast(band.low) || lowest > atMost(band.high)) return "missed";
  const above = band.low === null || lowest > band.low || (band.closed && lowest === band.low);
  const below = band.high === null || highest < band.high || (band.closed && highest === band.high);
  return above && below ? "cleared" : "open";
}

export const OUTCOMES: Readonly<Record<BandState, string>> = {
  cleared: "Shown: the whole interval is inside the required range.",
  missed: "Ruled out: the whole interval is outside the required range.",
  open: "Open: the interval is partly inside and partly outside the required range.",
  none: "There is no requirement on it.",
};

interface Title {
  readonly title: string;
  readonly what: string;
  readonly rate: boolean;
}

const TITLES: Readonly<Record<string, Title>> = {
  mismatch_rate: {
    title: "Share of inputs answered differently",
    what: "how many differences could have been missed, although all cases agree",
    rate: true,
  },
  pass_rate: {
    title: "Pass rate of the candidate",
    what: "share of cases without a hard violation",
    rate: true,
  },
  pass_rate_difference: {
    title: "Difference of pass rates",
    what: "candidate minus baseline, over the same cases",
    rate: true,
  },
};

/** The title of an interval; an unknown name is its own title. */
export function titleOf(name: string): Title {
  return TITLES[name] ?? { title: name, what: "", rate: false };
}

/** A number in an interval's unit, with more digits for very small rates, which would otherwise show as 0%. */
export function told(value: number | null, rate: boolean): string {
  if (value === null) return "unbounded";
  if (!rate) return value.toLocaleString("en", { maximumSignificantDigits: 4 });
  const size = Math.abs(value);
  const digits = size > 0 && size < 0.00005 ? 4 : 2;
  return `${(100 * value).toFixed(digits)}%`;
}

/** The required range in words. */
export function needed(band: Band, rate: boolean): string {
  const { low, high, closed } = band;
  if (low !== null && high !== null) return `between ${told(low, rate)} and ${told(high, rate)}`;
  if (low !== null) return `${closed ? "at least" : "above"} ${told(low, rate)}`;
  return high === null ? "nothing" : `${closed ? "at most" : "below"} ${told(high, rate)}`;
}

/** The confidence of a one-sided bound. */
export function confidence(alpha: number): string {
  return `${(100 * (1 - alpha)).toLocaleString("en", { maximumSignificantDigits: 6 })}%`;
}

/** A p-value; one below 0.0001 is shown as that limit. */
export function chance(value: number | null): string {
  if (value === null) return "–";
  return value < 0.0001 ? "< 0.0001" : value.toLocaleString("en", { maximumSignificantDigits: 3 });
}
