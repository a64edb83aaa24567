/** Trace ids of a candidate's operations, for looking them up in a tracing system, and its model calls. */

import { Copyable, DataTable, duration, Empty, money } from "../parts";
import type { Column } from "../parts";
import type { Detail, ModelCall } from "./wire";

interface Trace {
  readonly id: string;
  readonly of: string;
}

/** Each trace once, with the step or model call that it belongs to. */
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
      {traces.length === 0 && calls.length > 0 && <p className="muted">No trace was exported. The model calls are listed below.</p>}
      {traces.length === 0 && calls.length === 0 && <Empty title="No model calls">There are no traces. The ids of its operations are listed below.</Empty>}
      {calls.length > 0 && <DataTable caption="Model calls" columns={CALLS} rows={calls} keyOf={(call) => String(call.sequence)} />}
      <details>
        <summary>Ids of the candidate and its operations</summary>
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
  { name: "latency", title: "Latency", numeric: true, cell: (call) => duration(call.latency_ms) },
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
