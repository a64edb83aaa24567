import { expect, test } from "vitest";

import { grouped, isGrouping } from "./spend";
import type { Amounts, Spend, SpendRow } from "./types";

const amounts = (cost_microusd: number, failures = 0): Amounts => ({
  calls: 2,
  failures,
  tokens_in: 100,
  tokens_out: 10,
  cost_microusd,
  latency_ms: 7,
});
const row = (model_id: string | null, role: string, cost: number, failures = 0): SpendRow => ({
  provider: model_id === null ? null : "lab",
  model_id,
  role,
  ...amounts(cost, failures),
});
const run = (run_id: string, problem: string | null, cost: number) => ({ run_id, problem, status: null, ...amounts(cost) });

const SPEND: Spend = {
  total: { calls: 6, failures: 1, tokens_in: 300, tokens_out: 30, cost_microusd: 100, latency_ms: 21 },
  by_model: [row("small", "mutator", 10), row("large", "judge", 60, 1), row("small", "judge", 30)],
  runs: [run("a", "sorting", 70), run("b", null, 30)],
  next: null,
};

test("every grouping adds up to the same total", () => {
  for (const by of ["model", "role", "run"] as const) {
    const groups = grouped(SPEND, by);
    expect(groups.reduce((sum, each) => sum + each.cost_microusd, 0)).toBe(100);
    expect(groups.reduce((sum, each) => sum + each.share, 0)).toBeCloseTo(1);
  }
});

test("the most expensive group comes first", () => {
  expect(grouped(SPEND, "model").map((each) => [each.name, each.cost_microusd])).toEqual([
    ["lab/large", 60],
    ["lab/small", 40],
  ]);
  expect(grouped(SPEND, "role").map((each) => [each.name, each.failures])).toEqual([
    ["judge", 1],
    ["mutator", 0],
  ]);
});

test("a run is named by its problem, and found by its id", () => {
  expect(grouped(SPEND, "run").map((each) => [each.key, each.name])).toEqual([
    ["a", "sorting"],
    ["b", "b"],
  ]);
});

test("if nothing cost money, the share is that of tokens", () => {
  const free = { ...SPEND, total: { ...SPEND.total, cost_microusd: 0 }, by_model: [row("own", "judge", 0)] };
  expect(grouped(free, "model")[0]?.share).toBeCloseTo(110 / 330);
  expect(grouped({ ...free, by_model: [] }, "model")).toEqual([]);
});

test("a call without a provider is counted under unknown", () => {
  expect(grouped({ ...SPEND, by_model: [row(null, "judge", 0)] }, "model")[0]?.name).toBe("unknown/unknown");
});

test("only known groupings are accepted from a URL", () => {
  expect(isGrouping("role")).toBe(true);
  expect(isGrouping("colour")).toBe(false);
});
