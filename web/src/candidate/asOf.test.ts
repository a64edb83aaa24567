import { expect, test } from "vitest";

import { asOf } from "./asOf";
import { explanationOf } from "./explanation";
import type { Detail } from "./wire";

const detail = {
  candidate_id: "c",
  reason: null,
  energy: 12,
  evidence: [
    { operation_id: "a", started: 5, ended: 8, outcome: "completed", energy: 2, findings: { passed: true } },
    { operation_id: "b", started: 9, ended: 20, outcome: "completed", energy: 10, findings: { gain: 1 } },
  ],
  verdicts: [{ what: "verdict", sequence: 21 }],
  model_calls: [{ sequence: 7 }],
  explanation: { selection: [{ sequence: 10 }, { sequence: 30 }], adoptions: [{ sequence: 22 }], repairs: [] },
} as unknown as Detail;

test("now, it is as it is", () => {
  expect(asOf(detail, null)).toBe(detail);
});

test("what ended later is in flight, with nothing found and nothing charged", () => {
  const then = asOf(detail, 12);
  expect(then.evidence.map(({ outcome }) => outcome)).toEqual(["completed", "in_flight"]);
  expect(then.evidence[1]).toMatchObject({ findings: null, energy: 0 });
  expect(then.energy).toBe(2);
});

test("what began later is not there, nor what the gate said later", () => {
  const then = asOf(detail, 6);
  expect(then.evidence.map(({ operation_id }) => operation_id)).toEqual(["a"]);
  expect(then.verdicts).toEqual([]);
  expect(then.model_calls).toEqual([]);
  expect(explanationOf(asOf(detail, 12).explanation).selection).toEqual([{ sequence: 10 }]);
});
