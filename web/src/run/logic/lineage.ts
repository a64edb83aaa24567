/** The genomes of a moment as input of the lineage view. */

import type { Moment } from "../../history";
import type { LineageNode } from "../lineage/types";
import { nick } from "./amounts";

/** Statuses of excluded candidates; the status of their genome is only `spent`. */
const OUT: ReadonlySet<string> = new Set(["rejected", "invalid"]);

/** Whether the columns are generations; a steady run has none, and its columns are depths. */
export function columnsAreGenerations(config: { readonly pace?: unknown } | null): boolean {
  const pace = config?.pace;
  return typeof pace === "object" && pace !== null && (pace as { kind?: unknown }).kind !== "steady";
}

/** All genomes born by then. */
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
      // The final candidate is a winner only if the gate adopted it.
      final: candidates.some(({ id }) => id === moment.run.finalCandidateId && champions.has(id)),
      working: working.has(genome.id) || candidates.some(({ id }) => working.has(id)),
      label: shown?.summary || nick(shown?.id ?? genome.id),
    };
  });
}

function workedOn(moment: Moment): Set<string> {
  return new Set(moment.inFlight.flatMap(({ subjects }) => subjects));
}
