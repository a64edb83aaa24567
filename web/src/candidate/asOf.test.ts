import { expect, test } from "vitest";

import { asOf } from "./asOf";
import { explanationOf } from "./explanation";
import type { Then } from "./asOf";
import type { Detail } from "./wire";

const detail = {
  candidate_id: "c",
  status: "selected",
  fitness: { total: 3 },
  reason: null,
  energy: 67,
  evidence: [
    { operation_id: "a", started: 5, ended: 8, outcome: "completed", energy: 2, findings: { passed: true } },
    { operation_id: "b", started: 9, ended: 20, outcome: "completed", energy: 10, findings: { gain: 1 } },
  ],
  verdicts: [{ what: "verdict", sequence: 21 }],
  model_calls: [{ sequence: 7 }],
  explanation: { selection: [{ sequence: 10 }, { sequence: 30 }], adoptions: [{ sequence: 22 }], repairs: [] },
} as unknown as Detail;

/** Its making took 55 that no evidence tells of. */
const after = (sequence: number, energy = 55): Then => ({ sequence, status: "created", fitness: null, energy });

test("now, it is as it is", () => {
  expect(asOf(detail, null)).toBe(detail);
});

test("what ended later is in flight, with nothing found and nothing charged", () => {
  const then = asOf(detail, after(12));
  expect(then.evidence.map(({ outcome }) => outcome)).toEqual(["completed", "in_flight"]);
  expect(then.evidence[1]).toMatchObject({ findings: null, energy: 0 });
});

test("its status, fitness and energy are those of the rows: what its making took is no evidence", () => {
  expect(asOf(detail, after(12, 57))).toMatchObject({ status: "created", fitness: null, energy: 57 });
  const last = asOf(detail, { sequence: 30, status: "selected", fitness: 3, energy: 67 });
  expect(last).toMatchObject({ status: detail.status, fitness: detail.fitness, energy: detail.energy });
});

test("what began later is not there, nor what the gate said later", () => {
  const then = asOf(detail, after(6));
  expect(then.evidence.map(({ operation_id }) => operation_id)).toEqual(["a"]);
  expect(then.verdicts).toEqual([]);
  expect(then.model_calls).toEqual([]);
  expect(explanationOf(asOf(detail, after(12)).explanation).selection).toEqual([{ sequence: 10 }]);
});
