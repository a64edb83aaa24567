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

test("there is no explanation if the best is the champion, or without scores", () => {
  expect(told([said("verdict", "adopt"), said("adopted")], BEST.candidateId)).toBeNull();
  expect(bestUnadopted({ best: null, verdicts: [], champions: new Map(), run: { over: false } })).toBeNull();
});

test.each([
  [[said("verdict", "reject")], "the gate rejected it"],
  [[said("verdict", "undecided")], "the gate was undecided"],
  [[said("verdict", "adopt"), said("adopted"), said("revoked")], "its adoption was revoked"],
  [[said("verdict", "adopt"), said("adopted")], "it was champion until another candidate was adopted in its place"],
  [[said("verdict", "reject", "candidate-3.0-def")], "it was not judged by the gate"],
])("the last verdict on the best explains why it is not champion", (verdicts, why) => {
  expect(told(verdicts)).toContain(`c7.0 has the best score but is not champion: ${why}. The champion is the candidate that the gate adopted`);
});

test("while the run goes on, the gate may still judge it; there may be no champion at all", () => {
  expect(told([], null, false)).toContain("it has not been judged by the gate yet. The gate has adopted no candidate");
});
