/** Styles of edges: the most common operators of a run each have a colour and a dash pattern; the others share one. */

import type { LineageNode } from "./types";

/** The shared style; 7 styles before it are as many as readers can distinguish. */
export const SHARED = 7;

/** The operators of a run, most common first, each with the number of its style. */
export function operatorsOf(nodes: readonly LineageNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operator } of nodes) if (operator !== null) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const names = [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1));
  return new Map(names.map((name, place) => [name, Math.min(place, SHARED)]));
}

export interface LegendLine {
  readonly style: number;
  readonly operators: readonly string[];
}

/** One line of the legend per style. */
export function legendOf(nodes: readonly LineageNode[]): readonly LegendLine[] {
  const lines = new Map<number, string[]>();
  for (const [name, style] of operatorsOf(nodes)) lines.set(style, [...(lines.get(style) ?? []), name]);
  return [...lines].map(([style, operators]) => ({ style, operators }));
}
