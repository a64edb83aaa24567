/** Axes of drawings: from values to places, and round figures to write beside them. */

import { amount, brief } from "../../parts/formatted";

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** From a value to a place from 0 to 1. */
  readonly place: (value: number) => number;
  readonly marks: readonly number[];
}

/** A scale that holds all values with a little room; of a single value, around it. */
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

/** The figures as texts, with as many digits as tell them apart. */
export function labelsOf(values: readonly number[]): string[] {
  for (let digits = 3; digits < 9; digits += 1) {
    const told = values.map((value) => (Math.abs(value) >= 1e4 ? brief(value) : amount(value, digits)));
    if (new Set(told).size === new Set(values).size) return told;
  }
  return values.map(String);
}

/** Round figures from `low` to `high`, about as many as asked for. */
export function roundMarks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / Math.max(about, 1);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
