/** The remaining budget, event by event. */

import type { SpendSeries } from "../../history";
import { drawnPoints } from "./thin";

export interface Drain {
  /** Pairs of an event and the amount left after it; the first at event 0. */
  readonly points: readonly (readonly [number, number])[];
  readonly left: number;
  readonly top: number;
  /** The lowest value of the chart: 0, unless the usage is too small to be visible then. */
  readonly floor: number;
}

const VISIBLE = 0.05;

/** `spent` is the total up to event `last`. */
export function drainOf({ length, sequence, total }: SpendSeries, spent: number, limit: number, last: number): Drain {
  const shown = drawnPoints(total, length, 300);
  const points = shown.map((index) => [sequence[index] as number, limit - (total[index] as number)] as const);
  const left = limit - spent;
  const floor = spent > 0 && spent < limit * VISIBLE ? limit - spent * 1.25 : Math.min(0, left);
  return { points: [[0, limit], ...points, [Math.max(last, 0), left]], left, top: limit, floor };
}
