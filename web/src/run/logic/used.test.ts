import { expect, test } from "vitest";

import { RUN } from "../../../tests/random_run";
import { RunHistory } from "../../history";
import type { Json } from "../../wire/types";
import { usedAt } from "./used";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const rows = (key: string[], first: number[], values: Record<string, Json[]> = {}) => ({ key, first, last: first, values });

/** A history with event n at second n; the first conductor was lost after event 5, and the second took over at event 8. */
function history(tables: Record<string, ReturnType<typeof rows>>, run: Record<string, Json[]> = {}): RunHistory {
  const made = new RunHistory(RUN);
  const told = { started_at: [at(0)], last_event_at: [at(20)], ...run };
  made.load({ run_id: RUN, sequence: 20, tables: { ...tables, runs: rows([RUN], [0], told) } });
  return made;
}

function entered(...states: [sequence: number, table: string, subject: string, status: string][]) {
  const column = (index: 1 | 2 | 3) => states.map((state) => state[index]);
  const key = states.map(([sequence, , subject]) => `${sequence}:${subject}`);
  return rows(key, states.map(([sequence]) => sequence), { table: column(1), subject: column(2), status: column(3) });
}

test("time without a conductor does not count", () => {
  const told = history({}, { conducting: [[[1, at(1), 0, "one"], [8, at(8), 4_000, "other"]]] });
  expect([0, 1, 5, 8, 20].map((sequence) => usedAt(told.at(sequence)).wall_clock_ms)).toEqual([0, 0, 4_000, 4_000, 16_000]);
  expect([0, 5, 8].map((sequence) => told.at(sequence).conducting?.conductor)).toEqual([null, "one", "other"]);
  expect([0, 5, 8].map((sequence) => told.at(sequence).conducting?.takingsOver)).toEqual([0, 1, 2]);
});

test("without conductor times in the rows, all time counts", () => {
  expect(usedAt(history({}).at(5))).toMatchObject({ wall_clock_ms: 5_000 });
  expect(history({}).at(5).conducting).toBeNull();
});

test("the population is living genomes plus genomes being made", () => {
  const told = history({
    genomes: rows(["a", "b", "c"], [1, 2, 3], { birth: [0, 1, 2] }),
    candidates: rows(["of-b"], [4], { genome_id: ["b"] }),
    operations: rows(["vary", "examine"], [5, 6], { kind: ["vary", "examine"], ended: [7, null] }),
    transitions: entered(
      [1, "genomes", "a", "seeded"],
      [2, "genomes", "b", "seeded"],
      [3, "genomes", "c", "seeded"],
      [4, "candidates", "of-b", "created"],
      [8, "genomes", "a", "spent"],
      [9, "genomes", "b", "spent"],
      [10, "candidates", "of-b", "rejected"],
      [11, "genomes", "c", "culled"],
    ),
  });
  const found = [0, 1, 3, 5, 7, 8, 9, 10, 11].map((sequence) => usedAt(told.at(sequence)).max_population);
  expect(found).toEqual([0, 1, 3, 4, 3, 2, 2, 1, 0]);
});

test("attempts count with their allowance in flight and with their usage afterwards; a lost one keeps its allowance", () => {
  const told = history({
    operations: rows(["done", "lost", "bare"], [1, 2, 3], {
      allowance: [{ tool_calls: 5, tokens: 100 }, { tool_calls: 4, cost_microusd: 30, evaluations: 6 }, null],
      usage: [{ tool_calls: 2, tokens_in: 40, tokens_out: 20 }, { tool_calls: 1, cost_microusd: 10, evaluations: 5 }, null],
      reserved: [7, 8, 9],
      attempt: [1, 2, 1],
      started: [1, 6, 3],
      ended: [4, 9, null],
    }),
  });
  const used = (name: string) => [0, 1, 2, 4, 6, 9, 20].map((sequence) => usedAt(told.at(sequence))[name]);
  expect(used("max_tool_calls")).toEqual([0, 5, 9, 6, 10, 7, 7]);
  expect(used("max_tokens")).toEqual([0, 100, 100, 60, 60, 60, 60]);
  expect(used("max_cost_microusd")).toEqual([0, 0, 30, 30, 60, 40, 40]);
  expect(used("max_evaluations")).toEqual([0, 0, 6, 6, 12, 11, 11]);
  expect(used("energy_budget")).toEqual([0, 7, 15, 17, 17, 9, 9]);
});
