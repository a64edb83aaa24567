import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { Traces } from "./Traces";
import type { Detail, ModelCall } from "./wire";

const CALL: Partial<ModelCall> = { sequence: 7, role: "mutator", model_id: "small", outcome: "ok", tokens_in: 10, tokens_out: 5, cost_microusd: 3, latency_ms: 20, trace_id: null };

function shown(calls: readonly Partial<ModelCall>[]): void {
  const detail = { candidate_id: "candidate-1", genome_id: "genome-1", evidence: [], model_calls: calls } as unknown as Detail;
  render(<Traces detail={detail} />);
}

test("calls without an exported trace are listed", () => {
  shown([CALL]);
  expect(screen.getByText(/No trace was exported/)).toBeTruthy();
  expect(screen.getByRole("table", { name: "Model calls" })).toBeTruthy();
});

test("the trace of a call can be copied", () => {
  shown([{ ...CALL, trace_id: "trace-9" }]);
  expect(screen.getByText("trace-9")).toBeTruthy();
  expect(screen.queryByText(/No trace/)).toBeNull();
});

test("a candidate without model calls says so", () => {
  shown([]);
  expect(screen.getByText("No model calls")).toBeTruthy();
});
