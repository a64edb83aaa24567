import { expect, test } from "vitest";

import type { RunConfig } from "../../wire/types";
import { differingTraits } from "./comparable";

interface Given {
  readonly domain?: string;
  readonly problem?: string;
  readonly weights?: Record<string, number>;
  readonly version?: string;
  readonly data?: Record<string, unknown>;
}

function run({ domain = "reference", problem = "points", weights = { closeness: 1 }, version = "1", data = {} }: Given) {
  const config = { scoring_policy: { version, weights, normalization: null }, domain_config: { domain, kind: "k", version: 1, data } };
  return { domain, problem, config: config as unknown as RunConfig };
}

test("runs that differ only in their seeds and sizes can be compared", () => {
  expect(differingTraits([run({}), run({})])).toEqual([]);
});

test.each([
  [{ domain: "texts" }, ["domain"]],
  [{ weights: { closeness: 2 } }, ["objectives"]],
  [{ version: "2" }, ["scoring policy"]],
  [{ problem: "others", data: { target: 3 } }, ["problem"]],
])("runs cannot be compared if one has %o", (other, differing) => {
  expect(differingTraits([run({}), run({}), run(other)])).toEqual(differing);
});

test("the same task under two names is one problem", () => {
  expect(differingTraits([run({ problem: "first" }), run({ problem: "second" })])).toEqual([]);
});

test("a domain defines its problem: for programs the source, not the file name", () => {
  const source = (text: string, problem = "sort.py:sort") =>
    run({ domain: "programs", problem, data: { files: { "sort.py": text }, entry: "sort:sort", reference: Math.random() } });
  expect(differingTraits([source("a"), source("a", "again")])).toEqual([]);
  expect(differingTraits([source("a"), source("b")])).toEqual(["problem"]);
});
