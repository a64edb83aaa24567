/** Fitness over a run as columns for a chart. */

import type { Moment } from "../../history";
import { drawnPoints } from "./thin";

export const ACROSS = ["events", "births", "time"] as const;
export type Across = (typeof ACROSS)[number];

export interface FitnessColumns {
  readonly x: readonly number[];
  readonly best: readonly number[];
  readonly mean: readonly number[];
  readonly total: readonly number[];
}

const MOST_POINTS = 2_000;

/** Best so far, running mean and each score, across events, births or time (seconds since 1970). */
export function fitnessColumns(moment: Moment, across: Across): FitnessColumns {
  const { length, sequence, best, mean, total } = moment.scoreSeries;
  const points = drawnPoints(total, length, MOST_POINTS);
  const pick = (column: readonly number[]) => points.map((index) => column[index] as number);
  return { x: placesOf(moment, pick(sequence), across), best: pick(best), mean: pick(mean), total: pick(total) };
}

function placesOf(moment: Moment, sequences: readonly number[], across: Across): number[] {
  if (across === "time") return sequences.map((sequence) => (moment.timeOf(sequence) ?? 0) / 1000);
  return across === "events" ? [...sequences] : birthsAt(moment, sequences);
}

/** The number of births up to each of these events. */
function birthsAt({ candidates }: Moment, sequences: readonly number[]): number[] {
  let born = 0;
  return sequences.map((sequence) => {
    while (born < candidates.length && (candidates[born]?.first ?? Infinity) <= sequence) born += 1;
    return born;
  });
}
