/** A candidate as it was after an event: what began later is left out, what ended later is still in flight. */

import type { Detail, EvidenceItem, Usage } from "./wire";

const UNUSED: Usage = {
  tokens_in: 0,
  tokens_out: 0,
  tool_calls: 0,
  spawns: 0,
  cpu_ms: 0,
  opcodes: 0,
  wall_ms: 0,
  peak_memory_bytes: 0,
  cost_microusd: 0,
};

export function asOf(detail: Detail, at: number | null): Detail {
  if (at === null) return detail;
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
    evidence,
    verdicts: before(detail.verdicts),
    model_calls: before(detail.model_calls),
    energy: evidence.reduce((sum, { energy }) => sum + energy, 0),
    reason: null,
    explanation,
  };
}

function evidenceAt(item: EvidenceItem, at: number): EvidenceItem {
  if (item.ended === null || item.ended <= at) return item;
  return { ...item, outcome: "in_flight", findings: null, error: null, usage: UNUSED, energy: 0 };
}
