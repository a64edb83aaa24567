/** How edges are told apart: each operator of a run has a colour and a dash of its own. */

import type { LineageNode } from "./types";

/** As many as can be told apart; further operators share the last. */
export const STYLES = 6;

/** The operators of a run, the commonest first, each with the number of its style. */
export function operatorsOf(nodes: readonly LineageNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operator } of nodes) if (operator !== null) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const names = [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1));
  return new Map(names.map((name, place) => [name, Math.min(place, STYLES - 1)]));
}
