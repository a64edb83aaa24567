/** The archive: the best candidate of each cell, where a candidate's descriptors determine its cell. */

import type { DescriptorAxis } from "../wire/types";
import type { Score } from "./scores";

export interface Cell {
  /** The bin on each axis. */
  readonly place: readonly number[];
  readonly best: Score;
  /** How many candidates were scored in it. */
  readonly count: number;
}

const BINS = 10;

/** The bin of a value; values outside the range belong to the nearest bin. */
export function binOf(axis: DescriptorAxis, value: number): number {
  const share = (value - axis.low) / (axis.high - axis.low);
  return Math.floor(Math.min(Math.max(share, 0) * axis.bins, axis.bins - 1));
}

/** The best of each cell, the earlier one in a tie. A candidate without a descriptor on some axis is in no cell. */
export function archiveOf(scores: readonly Score[], axes: readonly DescriptorAxis[]): Cell[] {
  const cells = new Map<number, { place: number[]; best: Score; count: number }>();
  for (const score of axes.length === 0 ? [] : scores) {
    const place = placeOf(score, axes);
    if (place === null) continue;
    const number = axes.reduce((sum, axis, index) => sum * axis.bins + (place[index] as number), 0);
    const known = cells.get(number);
    if (known === undefined) cells.set(number, { place, best: score, count: 1 });
    else {
      known.count += 1;
      if (score.total > known.best.total) known.best = score;
    }
  }
  return [...cells.values()];
}

function placeOf({ descriptor }: Score, axes: readonly DescriptorAxis[]): number[] | null {
  const place: number[] = [];
  for (const axis of axes) {
    const value = descriptor[axis.name];
    if (value === undefined) return null;
    place.push(binOf(axis, value));
  }
  return place;
}

/** Axes that contain all these scores, for a run whose configuration has no axes. */
export function axesOf(scores: readonly Score[], bins = BINS): DescriptorAxis[] {
  const ranges = new Map<string, [number, number]>();
  for (const { descriptor } of scores) {
    for (const [name, value] of Object.entries(descriptor)) {
      const [low, high] = ranges.get(name) ?? [value, value];
      ranges.set(name, [Math.min(low, value), Math.max(high, value)]);
    }
  }
  const names = [...ranges.keys()].sort();
  return names.map((name) => axis(name, ranges.get(name) as [number, number], bins));
}

function axis(name: string, [low, high]: [number, number], bins: number): DescriptorAxis {
  return low === high ? { name, low: low - 0.5, high: high + 0.5, bins: 1 } : { name, low, high, bins };
}
