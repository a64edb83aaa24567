import { expect, test } from "vitest";

import type { Json } from "../../wire/types";
import { auditOf, times } from "./speedups";

const findings: Json = {
  domain: "programs",
  kind: "audited",
  version: 1,
  data: {
    agrees: true,
    cases: 100,
    sizes: [
      { size: 1024, speedup: 269.01, lower: 245.9, upper: 294.3, original_ms: 52.2 },
      { size: 64, speedup: 6.33, lower: null, upper: 10.6 },
      { size: "?" },
    ],
  },
};

test("speed-ups come by size; what is malformed is left out", () => {
  const audit = auditOf(findings);
  expect(audit?.agrees).toBe(true);
  expect(audit?.speedups.map(({ size }) => size)).toEqual([64, 1024]);
  expect(audit?.speedups[0]).toMatchObject({ lower: null, originalMs: null });
});

test("findings of another kind are no audit", () => {
  expect(auditOf({ kind: "checked", data: { cases: 3 } })).toBeNull();
  expect(auditOf(null)).toBeNull();
});

test("speed-ups are said with three digits", () => {
  expect(times(269.0149)).toBe("269×");
  expect(times(6.3301)).toBe("6.33×");
});
