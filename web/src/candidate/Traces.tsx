/** Traces of what was done for a candidate, to be looked up elsewhere, and its calls to models. */

import { Copyable, DataTable, duration, Empty, money } from "../parts";
import type { Column } from "../parts";
import type { Detail, ModelCall } from "./wire";

interface Trace {
  readonly id: string;
  readonly of: string;
}

/** Every trace once, with what it is of. */
export function tracesOf(detail: Pick<Detail, "evidence" | "model_calls">): Trace[] {
  const found = new Map<string, string>();
  for (const { trace_id, step } of detail.evidence) if (trace_id !== null && !found.has(trace_id)) found.set(trace_id, step);
  for (const { trace_id, role } of detail.model_calls ?? []) {
    if (trace_id !== null && !found.has(trace_id)) found.set(trace_id, `model call, ${role}`);
  }
  return Array.from(found, ([id, of]) => ({ id, of }));
}

export function Traces({ detail }: { detail: Detail }) {
  const traces = tracesOf(detail);
  const calls = detail.model_calls ?? [];
  return (
    <div className="stack" data-panel="traces">
      {traces.length > 0 && <CopyList items={traces} />}
      {traces.length === 0 && calls.length > 0 && <p className="muted">No trace was sent elsewhere; its calls to models stand below.</p>}
      {traces.length === 0 && calls.length === 0 && <Empty title="No model was asked for it">So there is nothing to trace; its operations are named below.</Empty>}
      {calls.length > 0 && <DataTable caption="Calls to models" columns={CALLS} rows={calls} keyOf={(call) => String(call.sequence)} />}
      <details>
        <summary>Ids of operations and of the candidate</summary>
        <CopyList
          items={[
            { id: detail.candidate_id, of: "candidate" },
            { id: detail.genome_id, of: "genome" },
            ...detail.evidence.map(({ operation_id, step }) => ({ id: operation_id, of: step })),
          ]}
        />
      </details>
    </div>
  );
}

const CALLS: readonly Column<ModelCall>[] = [
  { name: "role", title: "Role", cell: (call) => call.role },
  { name: "model", title: "Model", cell: (call) => call.model_id ?? call.provider ?? "–" },
  { name: "outcome", title: "Outcome", cell: (call) => call.outcome },
  { name: "tokens", title: "Tokens", numeric: true, cell: (call) => (call.tokens_in + call.tokens_out).toLocaleString("en") },
  { name: "cost", title: "Cost", numeric: true, cell: (call) => money(call.cost_microusd) },
  { name: "latency", title: "Took", numeric: true, cell: (call) => duration(call.latency_ms) },
];

function CopyList({ items }: { items: readonly Trace[] }) {
  return (
    <ul className="inspect-copies">
      {items.map((item) => (
        <li key={item.id + item.of}>
          <span className="muted small">{item.of}</span>
          <Copyable text={item.id} />
        </li>
      ))}
    </ul>
  );
}
