/** Whether an interval lies where it has to, and what that means in words. */

import type { Interval } from "../wire/types";
import type { Band } from "./types";

export type BandState = "cleared" | "missed" | "open" | "none";

const atLeast = (bound: number | null): number => bound ?? -Infinity;
const atMost = (bound: number | null): number => bound ?? Infinity;

/** `none` where nothing is demanded; a bound that is missing is no bound. */
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
  cleared: "Shown: the whole interval lies where it has to.",
  missed: "Ruled out: the whole interval lies where it must not.",
  open: "Open: the interval lies on both sides of the line.",
  none: "Nothing is demanded of it.",
};

interface Title {
  readonly title: string;
  readonly what: string;
  readonly rate: boolean;
}

const TITLES: Readonly<Record<string, Title>> = {
  mismatch_rate: {
    title: "Share of inputs answered differently",
    what: "how much could have been missed, although every case agreed",
    rate: true,
  },
  pass_rate: {
    title: "Pass rate of the candidate",
    what: "share of cases in which nothing hard is violated",
    rate: true,
  },
  pass_rate_difference: {
    title: "Difference of pass rates",
    what: "candidate less baseline, over the same cases",
    rate: true,
  },
};

/** What an interval is of, in words; a name that nobody knows is its own title. */
export function titleOf(name: string): Title {
  return TITLES[name] ?? { title: name, what: "", rate: false };
}

/** A number as an interval's unit writes it; with as many digits as tell it from nothing. */
export function told(value: number | null, rate: boolean): string {
  if (value === null) return "unbounded";
  if (!rate) return value.toLocaleString("en", { maximumSignificantDigits: 4 });
  const size = Math.abs(value);
  const digits = size > 0 && size < 0.00005 ? 4 : 2;
  return `${(100 * value).toFixed(digits)}%`;
}

/** The line that has to be cleared, in words. */
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

/** A chance; whatever is smaller than anybody believes is only said to be small. */
export function chance(value: number | null): string {
  if (value === null) return "–";
  return value < 0.0001 ? "< 0.0001" : value.toLocaleString("en", { maximumSignificantDigits: 3 });
}
