/** Best-so-far curves as step functions, over a chosen horizontal axis. */

import type { RunSummary } from "../../wire/types";

export type Over = "scored" | "energy" | "time";

export const OVERS: Readonly<Record<Over, string>> = {
  scored: "candidates scored",
  energy: "energy spent",
  time: "seconds since the start",
};

/** An improvement of the best score, with the spend by then; `energy` and `seconds` are null if unknown. */
export interface Improvement {
  readonly scored: number;
  readonly fitness: number;
  readonly energy: number | null;
  readonly seconds: number | null;
}

export interface Curve {
  readonly runId: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The improvements in a run's summary, which are only known by candidates scored. */
export function improvementsOf(run: RunSummary): Improvement[] {
  return run.spark.map(([scored, fitness]) => ({ scored, fitness, energy: null, seconds: null }));
}

const place = (each: Improvement, over: Over): number | null =>
  over === "scored" ? each.scored : over === "energy" ? each.energy : each.seconds;

/** The curve of a run, extended horizontally to `end`, the current position of the run. */
export function curveOf(runId: string, improvements: readonly Improvement[], over: Over, end: number): Curve {
  const points: [number, number][] = [];
  for (const each of improvements) {
    const x = place(each, over);
    if (x !== null) points.push([x, each.fitness]);
  }
  const last = points.at(-1);
  if (last !== undefined && end > last[0]) points.push([end, last[1]]);
  return { runId, points };
}

/** Columns for uPlot: all x values in order, then for each curve its values there; null before its start and after its end. */
export function aligned(curves: readonly Curve[]): [number[], ...(number | null)[][]] {
  const places = [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  return [places, ...curves.map((curve) => heights(curve, places))];
}

function heights({ points }: Curve, places: readonly number[]): (number | null)[] {
  const end = points.at(-1)?.[0] ?? -Infinity;
  let next = 0;
  let height: number | null = null;
  return places.map((x) => {
    while (next < points.length && (points[next]?.[0] ?? Infinity) <= x) height = points[next++]?.[1] ?? null;
    return x > end ? null : height;
  });
}

/** The time from a run's start to its last event, in seconds. */
export function secondsOf(run: Pick<RunSummary, "started_at" | "last_event_at">): number | null {
  if (run.started_at === null || run.last_event_at === null) return null;
  return Math.max(0, (Date.parse(run.last_event_at) - Date.parse(run.started_at)) / 1000);
}
