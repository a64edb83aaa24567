/** The Pareto front: the scores that no other score dominates. */

import type { Score } from "./scores";

export type Direction = "max" | "min";

/** Whether `one` is at least as good in every objective and better in at least one; higher is better. */
export function dominates(one: readonly number[], other: readonly number[]): boolean {
  let better = false;
  for (let index = 0; index < one.length; index += 1) {
    const value = one[index] as number;
    const against = other[index] as number;
    if (value < against) return false;
    if (value > against) better = true;
  }
  return better;
}

/** The names of all score components, in alphabetical order. */
export function componentNames(scores: readonly Score[]): string[] {
  const names = new Set<string>();
  for (const score of scores) for (const name of Object.keys(score.components)) names.add(name);
  return [...names].sort();
}

/**
 * The non-dominated scores over `objectives`. Scores that lack an objective are left out. Higher is better, unless
 * `directions` has "min" for the objective.
 */
export function paretoFront(
  scores: readonly Score[],
  objectives: readonly string[],
  directions: Readonly<Record<string, Direction>> = {},
): Score[] {
  let front: { readonly score: Score; readonly point: readonly number[] }[] = [];
  for (const score of scores) {
    if (!objectives.every((name) => name in score.components)) continue;
    const point = objectives.map((name) => signed(score, name, directions));
    if (front.some((known) => dominates(known.point, point))) continue;
    front = front.filter((known) => !dominates(point, known.point));
    front.push({ score, point });
  }
  return front.map(({ score }) => score);
}

function signed(score: Score, name: string, directions: Readonly<Record<string, Direction>>): number {
  const value = score.components[name] as number;
  return directions[name] === "min" ? -value : value;
}
