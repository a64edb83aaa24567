/** Axes of drawings: mapping of values to positions, and round numbers as labels. */

import { amount, brief } from "../../parts/formatted";

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Maps a value to a position from 0 to 1. */
  readonly place: (value: number) => number;
  readonly marks: readonly number[];
}

/** A scale that contains all values with a small margin; for a single value, around it. */
export function scaleOf(values: readonly number[], marks = 5): Scale {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (!Number.isFinite(low)) [low, high] = [0, 1];
  const room = low === high ? Math.abs(low) * 0.1 || 0.5 : (high - low) * 0.05;
  return between(low - room, high + room, marks);
}

export function between(low: number, high: number, marks = 5): Scale {
  return { low, high, place: (value) => (value - low) / (high - low || 1), marks: roundMarks(low, high, marks) };
}

/** The numbers as texts, with enough digits to distinguish them. */
export function labelsOf(values: readonly number[]): string[] {
  for (let digits = 3; digits < 9; digits += 1) {
    const told = values.map((value) => (Math.abs(value) >= 1e4 ? brief(value) : amount(value, digits)));
    if (new Set(told).size === new Set(values).size) return told;
  }
  return values.map(String);
}

/** About `about` round numbers from `low` to `high`. */
export function roundMarks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / Math.max(about, 1);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
