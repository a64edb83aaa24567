/** Lineages for tests, from a small seeded random generator, so that they are reproducible. */

import type { LineageNode } from "./types";

export function genome(birth: number, column: number, parents: readonly string[] = [], more: Partial<LineageNode> = {}): LineageNode {
  return {
    id: `g${birth}`,
    birth,
    depth: column,
    column,
    parents,
    operator: parents.length === 0 ? null : parents.length > 1 ? "crossover" : "mutate",
    status: "scored",
    fitness: birth / 100,
    candidateId: `c${birth}`,
    champion: false,
    final: false,
    working: false,
    label: `#${birth}`,
    ...more,
  };
}

/** `count` genomes in `columns` columns, each with one or two parents in the previous column. */
export function lineage(count: number, columns: number, seed = 1): LineageNode[] {
  const draw = numbers(seed);
  const each = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, birth) => {
    const column = Math.floor(birth / each);
    if (column === 0) return genome(birth, column);
    const parent = () => `g${(column - 1) * each + Math.floor(draw() * each)}`;
    return genome(birth, column, draw() < 0.3 ? [parent(), parent()] : [parent()]);
  });
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
