/** Spend grouped by model, role or run. */

import type { Amounts, RunSpend, Spend, SpendRow } from "./types";

export type Grouping = "model" | "role" | "run";
export const GROUPINGS: readonly Grouping[] = ["model", "role", "run"];

export interface SpendGroup extends Amounts {
  readonly key: string;
  readonly name: string;
  /** Its share of the total cost, or of all tokens if nothing cost money. */
  readonly share: number;
}

function added(one: Amounts, other: Amounts): Amounts {
  return {
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    cost_microusd: one.cost_microusd + other.cost_microusd,
    latency_ms: one.latency_ms + other.latency_ms,
  };
}

const modelOf = (row: SpendRow): string => `${row.provider ?? "unknown"}/${row.model_id ?? "unknown"}`;
const runOf = (row: RunSpend): string => row.problem ?? row.run_id;

/** The amounts to add up, each with the key and the name of its group. */
function named({ by_model, runs }: Spend, by: Grouping): [key: string, name: string, amounts: Amounts][] {
  if (by === "run") return runs.map((row) => [row.run_id, runOf(row), row]);
  const nameOf = by === "model" ? modelOf : (row: SpendRow) => row.role;
  return by_model.map((row) => [nameOf(row), nameOf(row), row]);
}

/** The spend by model, role or run, largest share first. */
export function grouped(spend: Spend, by: Grouping): SpendGroup[] {
  const sums = new Map<string, { name: string; amounts: Amounts }>();
  for (const [key, name, amounts] of named(spend, by)) {
    const before = sums.get(key)?.amounts;
    sums.set(key, { name, amounts: before === undefined ? amounts : added(before, amounts) });
  }
  const weigh = weighing(spend.total);
  return [...sums]
    .map(([key, { name, amounts }]) => ({ ...amounts, key, name, share: weigh(amounts) }))
    .sort((one, other) => other.share - one.share || one.name.localeCompare(other.name));
}

/** A function that returns the share of the cost, or of the tokens if nothing cost money. */
function weighing(total: Amounts): (amounts: Amounts) => number {
  if (total.cost_microusd > 0) return ({ cost_microusd }) => cost_microusd / total.cost_microusd;
  const tokens = total.tokens_in + total.tokens_out;
  return ({ tokens_in, tokens_out }) => (tokens === 0 ? 0 : (tokens_in + tokens_out) / tokens);
}

export function isGrouping(text: string): text is Grouping {
  return (GROUPINGS as readonly string[]).includes(text);
}
