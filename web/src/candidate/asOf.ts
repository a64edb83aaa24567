/** A candidate as it was after an event: what began later is left out, what ended later is still in flight. */

import type { CandidateStatus } from "../wire/types";
import type { Detail, EvidenceItem, Usage } from "./wire";

/** An event, and what the rows of the run say of the candidate after it. */
export interface Then {
  readonly sequence: number;
  /** Null where the run had not come to it. */
  readonly status: CandidateStatus | null;
  readonly fitness: number | null;
  /** All that had been charged for it, its making included: the evidence alone does not tell that. */
  readonly energy: number;
}

const UNUSED: Usage = {
  tokens_in: 0,
  tokens_out: 0,
  tool_calls: 0,
  evaluations: 0,
  spawns: 0,
  cpu_ms: 0,
  opcodes: 0,
  wall_ms: 0,
  peak_memory_bytes: 0,
  cost_microusd: 0,
};

export function asOf(detail: Detail, then: Then | null): Detail {
  if (then === null) return detail;
  const at = then.sequence;
  const before = <T extends { readonly sequence: number }>(items: readonly T[]): T[] => items.filter(({ sequence }) => sequence <= at);
  const evidence = detail.evidence.filter(({ started }) => (started ?? 0) <= at).map((item) => evidenceAt(item, at));
  const told = detail.explanation;
  const explanation = {
    ...told,
    repairs: before(told.repairs),
    selection: before(told.selection),
    adoptions: before(told.adoptions),
    // Why it is out is said by the events of its end, which tell no sequence here.
    invalidated: null,
    rejected: [],
  };
  return {
    ...detail,
    status: then.status ?? detail.status,
    fitness: then.fitness === null ? null : detail.fitness,
    energy: then.energy,
    evidence,
    verdicts: before(detail.verdicts),
    model_calls: before(detail.model_calls),
    reason: null,
    explanation,
  };
}

function evidenceAt(item: EvidenceItem, at: number): EvidenceItem {
  if (item.ended === null || item.ended <= at) return item;
  return { ...item, outcome: "in_flight", findings: null, error: null, usage: UNUSED, energy: 0 };
}
