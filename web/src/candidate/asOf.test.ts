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

/** Its birth took 55 energy, which is not part of the evidence. */
const after = (sequence: number, energy = 55): Then => ({ sequence, status: "created", fitness: null, energy });

test("without an event the detail is unchanged", () => {
  expect(asOf(detail, null)).toBe(detail);
});

test("an operation that ended later is in flight, without findings and energy", () => {
  const then = asOf(detail, after(12));
  expect(then.evidence.map(({ outcome }) => outcome)).toEqual(["completed", "in_flight"]);
  expect(then.evidence[1]).toMatchObject({ findings: null, energy: 0 });
});

test("status, fitness and energy come from the rows, because the birth is not part of the evidence", () => {
  expect(asOf(detail, after(12, 57))).toMatchObject({ status: "created", fitness: null, energy: 57 });
  const last = asOf(detail, { sequence: 30, status: "selected", fitness: 3, energy: 67 });
  expect(last).toMatchObject({ status: detail.status, fitness: detail.fitness, energy: detail.energy });
});

test("later operations and verdicts are left out", () => {
  const then = asOf(detail, after(6));
  expect(then.evidence.map(({ operation_id }) => operation_id)).toEqual(["a"]);
  expect(then.verdicts).toEqual([]);
  expect(then.model_calls).toEqual([]);
  expect(explanationOf(asOf(detail, after(12)).explanation).selection).toEqual([{ sequence: 10 }]);
});
