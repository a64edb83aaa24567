/** The verdicts of the gate, and the current champions. */

import type { Decision, JudgedInterval } from "../wire/types";
import { countThrough } from "./search";
import type { Table } from "./table";

export type VerdictKind = "verdict" | "adopted" | "confirmed" | "revoked";

export interface VerdictAt {
  readonly id: string;
  readonly what: VerdictKind;
  readonly candidateId: string;
  readonly sequence: number;
  readonly decision: Decision | null;
  readonly mode: string | null;
  readonly n: number | null;
  /** What the challenge spent of its niche's error budget, and its number in the niche. */
  readonly alpha: number | null;
  readonly k: number | null;
  readonly intervals: readonly JudgedInterval[];
  readonly niche: string | null;
  readonly reason: string | null;
  /** The candidate that becomes champion again after a revocation. */
  readonly restores: string | null;
}

/** All verdicts and adoptions, in order. */
export class Verdicts {
  private readonly made: VerdictAt[] = [];

  constructor(private readonly table: Table) {}

  catchUp(): void {
    while (this.made.length < this.table.length) this.made.push(verdict(this.table, this.made.length));
  }

  countAt(at: number): number {
    return countThrough(this.table.first, at);
  }

  at(at: number): readonly VerdictAt[] {
    return this.made.slice(0, this.countAt(at));
  }

  of(index: number): VerdictAt {
    return this.made[index] as VerdictAt;
  }
}

function verdict(table: Table, row: number): VerdictAt {
  const intervals = table.value(row, "intervals");
  return {
    id: table.keys[row] as string,
    what: (table.text(row, "what") ?? "verdict") as VerdictKind,
    candidateId: table.text(row, "candidate_id") ?? "",
    sequence: table.first[row] as number,
    decision: table.text(row, "decision") as Decision | null,
    mode: table.text(row, "mode"),
    n: table.number(row, "n"),
    alpha: table.number(row, "alpha"),
    k: table.number(row, "k"),
    intervals: Array.isArray(intervals) ? (intervals as unknown as JudgedInterval[]) : [],
    niche: table.text(row, "niche"),
    reason: table.text(row, "reason"),
    restores: table.text(row, "restores"),
  };
}

/** The current champion of each niche. */
export function championsOf(verdicts: readonly VerdictAt[]): ReadonlyMap<string, string> {
  const reigning = new Map<string, string>();
  for (const { what, niche, candidateId, restores } of verdicts) {
    if (niche === null) continue;
    if (what === "adopted") reigning.set(niche, candidateId);
    else if (what === "revoked" && restores !== null) reigning.set(niche, restores);
    else if (what === "revoked" && reigning.get(niche) === candidateId) reigning.delete(niche);
  }
  return reigning;
}
