import { expect, test } from "vitest";

import { randomness } from "../../tests/random_run";
import { dominates, paretoFront } from "./pareto";
import type { Score } from "./scores";

function scored(points: readonly Record<string, number>[]): Score[] {
  const base = { total: 0, descriptor: {}, estimated: [], absent: [], policy: "p" };
  return points.map((components, index) => ({ ...base, components, candidateId: `c${index}`, sequence: index }));
}

test.each([1, 2, 3])("the front contains exactly the non-dominated scores (seed %i)", (seed) => {
  const random = randomness(seed);
  const value = () => Math.floor(random() * 8);
  const scores = scored(Array.from({ length: 120 }, () => ({ a: value(), b: value(), c: value() })));
  const point = ({ components }: Score) => ["a", "b", "c"].map((name) => components[name] as number);
  const wanted = scores.filter((one) => !scores.some((other) => dominates(point(other), point(one))));
  expect(paretoFront(scores, ["a", "b", "c"])).toEqual(wanted);
});

test("an objective can be minimised, and scores without it are left out", () => {
  const scores = scored([{ a: 1, b: 5 }, { a: 1, b: 3 }, { a: 2 }]);
  expect(paretoFront(scores, ["a", "b"], { b: "min" }).map((each) => each.candidateId)).toEqual(["c1"]);
  expect(paretoFront(scores, ["a"]).map((each) => each.candidateId)).toEqual(["c2"]);
});
