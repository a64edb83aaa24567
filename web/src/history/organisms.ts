/** Generations, genomes and candidates as of a moment. */

import type { CandidateStatus, GenerationStatus, GenomeStatus } from "../wire/types";
import { TURNED_DOWN } from "./living";
import { Roster } from "./roster";
import type { Scores } from "./scores";
import type { Statuses } from "./statuses";
import type { Table } from "./table";

export interface GenerationAt {
  readonly id: string;
  readonly status: GenerationStatus;
  readonly index: number | null;
  readonly population: number | null;
  readonly survivors: number | null;
  readonly offspring: number | null;
  readonly best: number | null;
  readonly mean: number | null;
  readonly first: number;
}

export interface GenomeAt {
  readonly id: string;
  readonly birth: number;
  readonly depth: number;
  readonly parents: readonly string[];
  readonly generationId: string | null;
  readonly operator: string | null;
  readonly first: number;
  readonly status: GenomeStatus;
}

export interface CandidateAt {
  readonly id: string;
  readonly genomeId: string;
  readonly generationId: string | null;
  readonly birth: number;
  readonly summary: string;
  readonly first: number;
  readonly status: CandidateStatus;
  readonly fitness: number | null;
  /** The reason for its rejection, once it is rejected or invalid. */
  readonly reason: string | null;
}

/** Generations; figures of a generation are null until it has reached the status in which they are known. */
export function generationRoster(table: Table, statuses: Statuses): Roster<GenerationAt> {
  const make = (row: number, id: string, status: string): GenerationAt => {
    const done = status === "completed";
    const counted = done || status === "degraded";
    return {
      id,
      status: status as GenerationStatus,
      index: table.number(row, "index"),
      population: table.number(row, "population"),
      survivors: counted ? table.number(row, "survivors") : null,
      offspring: done ? table.number(row, "offspring") : null,
      best: done ? table.number(row, "best") : null,
      mean: done ? table.number(row, "mean") : null,
      first: table.first[row] as number,
    };
  };
  return new Roster("generations", table, statuses, { make });
}

export function genomeRoster(table: Table, statuses: Statuses): Roster<GenomeAt> {
  const make = (row: number, id: string, status: string): GenomeAt => ({
    id,
    birth: table.number(row, "birth") ?? 0,
    depth: table.number(row, "depth") ?? 0,
    parents: table.texts(row, "parents"),
    generationId: table.text(row, "generation_id"),
    operator: table.text(row, "operator"),
    first: table.first[row] as number,
    status: status as GenomeStatus,
  });
  return new Roster("genomes", table, statuses, { make });
}

export function candidateRoster(table: Table, statuses: Statuses, scores: Scores): Roster<CandidateAt> {
  const make = (row: number, id: string, status: string, at: number): CandidateAt => ({
    id,
    genomeId: table.text(row, "genome_id") ?? "",
    generationId: table.text(row, "generation_id"),
    birth: table.number(row, "birth") ?? 0,
    summary: table.text(row, "summary") ?? "",
    first: table.first[row] as number,
    status: status as CandidateStatus,
    fitness: scores.totalAt(id, at),
    reason: TURNED_DOWN.has(status) ? table.text(row, "reason") : null,
  });
  return new Roster("candidates", table, statuses, {
    make,
    holds: ({ id, fitness }, at) => scores.totalAt(id, at) === fitness,
    changed: (from, to) => scores.between(from, to),
  });
}
