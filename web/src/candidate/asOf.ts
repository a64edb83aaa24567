/** A candidate as of an event: later operations are left out, and operations that ended later are in flight. */

import type { CandidateStatus } from "../wire/types";
import type { Detail, EvidenceItem, Usage } from "./wire";

/** An event, and the candidate's values after it, taken from the rows of the run. */
export interface Then {
  readonly sequence: number;
  /** Null if the candidate did not exist yet. */
  readonly status: CandidateStatus | null;
  readonly fitness: number | null;
  /** All energy charged for it, including its birth, which is not part of the evidence. */
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
    // These reasons come without a sequence, so it is unknown whether they were recorded by then.
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
