import { expect, test } from "vitest";

import type { VerdictAt } from "../../history";
import { bestUnadopted } from "./standing";

const BEST = { candidateId: "candidate-7.0-abc", fitness: 2, sequence: 40 };

const said = (what: VerdictAt["what"], decision: VerdictAt["decision"] = null, candidateId = BEST.candidateId) =>
  ({ what, decision, candidateId }) as VerdictAt;

function told(verdicts: readonly VerdictAt[], champion: string | null = "candidate-3.0-def", over = true): string | null {
  const champions = new Map(champion === null ? [] : [["niche", champion]]);
  return bestUnadopted({ best: BEST, verdicts, champions, run: { over } });
}

test("nothing has to be said where the best reigns, or nobody has a score", () => {
  expect(told([said("verdict", "adopt"), said("adopted")], BEST.candidateId)).toBeNull();
  expect(bestUnadopted({ best: null, verdicts: [], champions: new Map(), run: { over: false } })).toBeNull();
});

test.each([
  [[said("verdict", "reject")], "the gate rejected it"],
  [[said("verdict", "undecided")], "the gate could not decide about it"],
  [[said("verdict", "adopt"), said("adopted"), said("revoked")], "its adoption was revoked"],
  [[said("verdict", "adopt"), said("adopted")], "it reigned until another one was adopted in its place"],
  [[said("verdict", "reject", "candidate-3.0-def")], "it never stood before the gate"],
])("why the best is not champion is what the gate said of it last", (verdicts, why) => {
  expect(told(verdicts)).toContain(`c7.0 scored best and is not champion: ${why}. The champion is whom the gate adopted`);
});

test("while the run goes on, the gate may still be asked; and there may be no champion at all", () => {
  expect(told([], null, false)).toContain("it has not stood before the gate yet. The gate has adopted nobody");
});
