/** Positions of an interval and its required range in a drawing: shares of the width, from 0 to 1. */

import type { Band } from "../guard/types";
import type { Interval } from "../wire/types";

export interface Tick {
  readonly at: number;
  readonly value: number;
}

export interface Drawn {
  readonly estimate: number;
  /** The bounds; an unbounded end extends to the edge. */
  readonly from: number;
  readonly to: number;
  readonly openLeft: boolean;
  readonly openRight: boolean;
  readonly lines: readonly Tick[];
  /** The required range; null if there is no requirement. */
  readonly allowed: { readonly from: number; readonly to: number } | null;
  readonly ticks: readonly Tick[];
}

const MARGIN = 0.08;

export function drawn(interval: Interval, band: Band, logarithmic = false): Drawn {
  const lines = [band.low, band.high].filter((end): end is number => end !== null);
  const values = [interval.estimate, ...[interval.lower, interval.upper].filter(isNumber), ...lines];
  const log = logarithmic && values.every((value) => value > 0);
  const scale = scaleOf(values, log);
  return {
    estimate: scale.at(interval.estimate),
    from: interval.lower === null ? 0 : scale.at(interval.lower),
    to: interval.upper === null ? 1 : scale.at(interval.upper),
    openLeft: interval.lower === null,
    openRight: interval.upper === null,
    lines: lines.map((value) => ({ value, at: scale.at(value) })),
    allowed: lines.length === 0 ? null : allowed(band, scale),
    ticks: scale.ticks,
  };
}

const isNumber = (value: number | null): value is number => value !== null;

function allowed(band: Band, scale: Scale): { from: number; to: number } {
  return { from: band.low === null ? 0 : scale.at(band.low), to: band.high === null ? 1 : scale.at(band.high) };
}

interface Scale {
  at(value: number): number;
  readonly ticks: readonly Tick[];
}

/** A scale over all values with a margin at both ends. */
export function scaleOf(values: readonly number[], log: boolean): Scale {
  const seen = log ? values.map(Math.log10) : values;
  const low = Math.min(...seen);
  const high = Math.max(...seen);
  const span = high - low || Math.abs(high) || 1;
  const [start, width] = [low - span * MARGIN, (high - low || span) + 2 * span * MARGIN];
  const at = (value: number) => clamp(((log ? Math.log10(value) : value) - start) / width);
  return { at, ticks: places(start, start + width, log).map((value) => ({ value, at: at(value) })) };
}

/** A logarithmic scale over less than this share of a decade has round numbers as ticks instead of powers of ten. */
const SHORT = 0.7;

function places(low: number, high: number, log: boolean): number[] {
  if (!log) return steps(low, high);
  return high - low < SHORT ? steps(10 ** low, 10 ** high) : decades(low, high);
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** About five round numbers between two numbers. */
export function steps(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Powers of ten between two logarithms; on short scales also their multiples by 2 and 5, or by 3. */
function decades(low: number, high: number): number[] {
  const found: number[] = [];
  const fine = high - low < 1.5 ? [1, 2, 5] : high - low < 3 ? [1, 3] : [1];
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
    for (const digit of fine) {
      const value = Number((digit * 10 ** power).toPrecision(3));
      if (Math.log10(value) >= low && Math.log10(value) <= high) found.push(value);
    }
  }
  return found;
}
