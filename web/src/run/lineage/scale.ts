/** Fitness as colour: a scale with monotonic lightness, so that it is legible without colour vision. */

import type { LineageNode } from "./types";

export type Rgb = readonly [red: number, green: number, blue: number];

export interface Domain {
  readonly low: number;
  readonly high: number;
}

const TAIL = 0.05;

/** From the 5th percentile of fitness to the best: one bad outlier must not compress the scale. */
export function domainOf(nodes: readonly LineageNode[]): Domain | null {
  const found: number[] = [];
  for (const node of nodes) if (node.fitness !== null && Number.isFinite(node.fitness)) found.push(node.fitness);
  if (found.length === 0) return null;
  const sorted = Float64Array.from(found).sort();
  const low = sorted[Math.floor((sorted.length - 1) * TAIL)] ?? 0;
  return { low, high: sorted[sorted.length - 1] ?? low };
}

/** The position of a fitness in its domain, from 0 to 1. */
export function share(fitness: number, domain: Domain): number {
  if (domain.high <= domain.low) return 1;
  return Math.min(1, Math.max(0, (fitness - domain.low) / (domain.high - domain.low)));
}

/** The colour at `at` (0 to 1) between evenly spaced stops. */
export function mixed(stops: readonly Rgb[], at: number): Rgb {
  const last = stops.length - 1;
  const below = Math.min(last, Math.max(0, Math.floor(at * last)));
  const one = stops[below] ?? [0, 0, 0];
  const other = stops[Math.min(last, below + 1)] ?? one;
  const part = at * last - below;
  return [blend(one[0], other[0], part), blend(one[1], other[1], part), blend(one[2], other[2], part)];
}

function blend(from: number, to: number, part: number): number {
  return Math.round(from + (to - from) * part);
}
