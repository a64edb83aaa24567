/** The rows of the roster, sorted and filtered. */

import type { CandidateAt, Moment } from "../../history";

export const ROSTER_COLUMNS = ["birth", "operator", "status", "fitness", "energy"] as const;
export type RosterColumn = (typeof ROSTER_COLUMNS)[number];

export interface RosterRow {
  readonly candidate: CandidateAt;
  readonly operator: string | null;
  readonly parents: readonly string[];
}

export const PAGE = 25;

/** The candidates in order, of one status or all; missing values come last in either direction. */
export function rosterOf(moment: Moment, column: RosterColumn, down: boolean, status: string): RosterRow[] {
  const rows = moment.candidates.map((candidate) => {
    const genome = moment.genome(candidate.genomeId);
    return { candidate, operator: genome?.operator ?? null, parents: genome?.parents ?? [] };
  });
  const shown = status === "" ? rows : rows.filter(({ candidate }) => candidate.status === status);
  const value = valueOf(moment, column);
  const keyed = shown.map((row) => ({ row, value: value(row) }));
  keyed.sort((one, other) => compared(one.value, other.value, down) || one.row.candidate.birth - other.row.candidate.birth);
  return keyed.map(({ row }) => row);
}

type Value = number | string | null;

function valueOf(moment: Moment, column: RosterColumn): (row: RosterRow) => Value {
  if (column === "energy") return ({ candidate }) => energyOf(moment, candidate);
  if (column === "operator") return ({ operator }) => operator;
  return ({ candidate }) => candidate[column];
}

export function compared(one: Value, other: Value, down: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order = typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  return down ? -order : order;
}

/** The energy spent on a candidate and on its genome's birth; a founder's birth is not charged to an operation. */
export function energyOf(moment: Moment, { id, genomeId }: CandidateAt): number {
  const about = [...moment.operationsAbout(id), ...moment.operationsAbout(genomeId)];
  return about.reduce((sum, { energy }) => sum + (energy ?? 0), moment.birthEnergy(genomeId));
}
