import { expect, test } from "vitest";

import { explanationOf } from "../candidate/explanation";
import type { Descent, Explanation } from "../candidate/explanation";
import { lineOf } from "./line";

const descent = (genome_id: string, distance: number, parents: string[], operator: string | null = null): Descent => ({
  genome_id,
  distance,
  birth: 10 - distance,
  generation_id: null,
  parents,
  operator,
  why: "",
  choices: operator === null ? {} : { note: `${operator} did it` },
});

const explained = (genome: Descent, ancestors: Descent[]): Explanation => ({ ...explanationOf(undefined), genome, ancestors });

test("the line goes from the founder to the winner", () => {
  const line = lineOf(
    explained(descent("c", 0, ["b"], "library"), [descent("b", 1, ["a"], "swap"), descent("a", 2, [])]),
  );
  expect(line.map(({ genomeId, operator }) => [genomeId, operator])).toEqual([
    ["a", null],
    ["b", "swap"],
    ["c", "library"],
  ]);
  expect(line[2]?.note).toBe("library did it");
});

test("the line follows the first of two parents, and names the other", () => {
  const line = lineOf(
    explained(descent("c", 0, ["a", "b"], "splice"), [descent("a", 1, []), descent("b", 1, [])]),
  );
  expect(line.map(({ genomeId }) => genomeId)).toEqual(["a", "c"]);
  expect(line[1]?.others).toEqual(["b"]);
});

test("a parent from another run is named but is not a link", () => {
  const line = lineOf(explained(descent("c", 0, ["elsewhere"], "swap"), []));
  expect(line).toHaveLength(1);
  expect(line[0]?.others).toEqual(["elsewhere"]);
});

test("without an explanation there is no line", () => {
  expect(lineOf(explanationOf(undefined))).toEqual([]);
});
