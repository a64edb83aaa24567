/** The genomes of a moment as the lineage view is given them. */

import type { Moment } from "../../history";
import type { LineageNode } from "../lineage/types";
import { nick } from "./amounts";

/** What was examined and is out; its genome is only spent. */
const OUT: ReadonlySet<string> = new Set(["rejected", "invalid"]);

/** Whether the columns are generations: a steady run breeds without waiting for one, and its columns are depths. */
export function columnsAreGenerations(config: { readonly pace?: unknown } | null): boolean {
  const pace = config?.pace;
  return typeof pace === "object" && pace !== null && (pace as { kind?: unknown }).kind !== "steady";
}

/** All genomes that had been born. */
export function lineageNodes(moment: Moment, byGeneration: boolean): LineageNode[] {
  const generations = new Map(moment.generations.map(({ id, index }) => [id, index]));
  const champions = new Set(moment.champions.values());
  const working = workedOn(moment);
  return moment.genomes.map((genome) => {
    const candidates = moment.expressed(genome.id);
    const shown = candidates.findLast(({ fitness }) => fitness !== null) ?? candidates.at(-1);
    const generation = generations.get(genome.generationId ?? "");
    return {
      id: genome.id,
      birth: genome.birth,
      depth: genome.depth,
      column: byGeneration ? (generation ?? genome.depth) : genome.depth,
      parents: genome.parents,
      operator: genome.operator,
      status: OUT.has(shown?.status ?? "") ? (shown?.status ?? genome.status) : genome.status,
      fitness: shown?.fitness ?? null,
      candidateId: shown?.id ?? null,
      champion: candidates.some(({ id }) => champions.has(id)),
      // Whom the run ends with is a winner only if the gate let it in.
      final: candidates.some(({ id }) => id === moment.run.finalCandidateId && champions.has(id)),
      working: working.has(genome.id) || candidates.some(({ id }) => working.has(id)),
      label: shown?.summary || nick(shown?.id ?? genome.id),
    };
  });
}

function workedOn(moment: Moment): Set<string> {
  return new Set(moment.inFlight.flatMap(({ subjects }) => subjects));
}
