/** Components and descriptors of scores, by name, as axes of drawings. */

import type { Score } from "../../history";
import type { DescriptorAxis, RunConfig } from "../../wire/types";
import { axesOf } from "../../history";

/** A score with its descriptors among its components, so that either can be an axis. */
export function widened(score: Score): Score {
  return { ...score, components: { ...score.descriptor, ...score.components } };
}

/** The names of all components, then of all descriptors. */
export function figureNames(scores: readonly Score[]): string[] {
  const [components, descriptors] = [new Set<string>(), new Set<string>()];
  for (const score of scores) {
    for (const name of Object.keys(score.components)) components.add(name);
    for (const name of Object.keys(score.descriptor)) descriptors.add(name);
  }
  return [...new Set([...[...components].sort(), ...[...descriptors].sort()])];
}

/** The archive's axes: as configured, or computed to contain all scores. */
export function archiveAxes(config: RunConfig | null, scores: readonly Score[]): readonly DescriptorAxis[] {
  const named = config?.archive?.descriptors;
  if (named !== undefined && named.length > 0) return named;
  return axesOf(scores.map((score) => ({ ...score, descriptor: { ...score.components, ...score.descriptor } })));
}

/** The two names to draw: the chosen ones if available, otherwise the first two. */
export function chosenTwo(names: readonly string[], first: string, second: string): [string, string] | null {
  const x = names.includes(first) ? first : names[0];
  const y = names.includes(second) && second !== x ? second : names.find((name) => name !== x);
  return x === undefined || y === undefined ? null : [x, y];
}
