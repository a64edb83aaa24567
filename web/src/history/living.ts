/** Living genomes: born, not failed, not culled, and not spent with all candidates rejected or invalid. */

import type { CandidateStatus, GenomeStatus } from "../wire/types";
import type { CandidateAt, GenomeAt } from "./organisms";

const GONE: ReadonlySet<GenomeStatus> = new Set<GenomeStatus>(["culled", "failed"]);
export const TURNED_DOWN: ReadonlySet<string> = new Set<CandidateStatus>(["rejected", "invalid"]);

export function livingOf(genomes: readonly GenomeAt[], candidates: readonly CandidateAt[]): number {
  const hopeful = new Set<string>();
  for (const { genomeId, status } of candidates) if (!TURNED_DOWN.has(status)) hopeful.add(genomeId);
  let living = 0;
  for (const { id, status } of genomes) if (!GONE.has(status) && (status !== "spent" || hopeful.has(id))) living += 1;
  return living;
}
