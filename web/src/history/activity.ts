/** Recent activity, newest first. */

import type { VerdictAt, Verdicts } from "./champions";
import type { Operation, Operations } from "./operations";
import { countThrough } from "./search";
import type { Table } from "./table";

export interface ModelCall {
  readonly id: string;
  readonly sequence: number;
  readonly role: string;
  readonly outcome: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costMicrousd: number | null;
  readonly latencyMs: number | null;
  readonly operationId: string | null;
  readonly traceId: string | null;
}

export interface Transition {
  readonly table: string;
  readonly subject: string;
  readonly status: string;
}

export type Activity = { readonly key: string; readonly sequence: number } & (
  | { readonly kind: "started"; readonly operation: Operation }
  | { readonly kind: "ended"; readonly operation: Operation }
  | { readonly kind: "transition"; readonly transition: Transition }
  | { readonly kind: "verdict"; readonly verdict: VerdictAt }
  | { readonly kind: "call"; readonly call: ModelCall }
);

export function modelCall(table: Table, row: number): ModelCall {
  return {
    id: table.keys[row] as string,
    sequence: table.first[row] as number,
    role: table.text(row, "role") ?? "",
    outcome: table.text(row, "outcome") ?? "",
    provider: table.text(row, "provider"),
    model: table.text(row, "model_id"),
    tokensIn: table.number(row, "tokens_in") ?? 0,
    tokensOut: table.number(row, "tokens_out") ?? 0,
    costMicrousd: table.number(row, "cost_microusd"),
    latencyMs: table.number(row, "latency_ms"),
    operationId: table.text(row, "operation_id"),
    traceId: table.text(row, "trace_id"),
  };
}

interface Source {
  /** How many items are left; the last of them is the newest. */
  left: number;
  readonly take: (index: number) => Activity;
}

/** The last `most` activities up to event `at`. The cost depends on `most`, not on the length of the run. */
export function activityAt(
  at: number,
  most: number,
  operations: Operations,
  transitions: Table,
  verdicts: Verdicts,
  calls: Table,
): Activity[] {
  const sources: Source[] = [
    { left: operations.startedCountAt(at), take: (index) => started(operations.asOf(index, at)) },
    { left: operations.endedCountAt(at), take: (index) => ended(operations.endedAt(index)) },
    { left: countThrough(transitions.first, at), take: (index) => entered(transitions, index) },
    { left: verdicts.countAt(at), take: (index) => said(verdicts.of(index)) },
    { left: countThrough(calls.first, at), take: (index) => called(modelCall(calls, index)) },
  ];
  return newest(sources, most);
}

function newest(sources: readonly Source[], most: number): Activity[] {
  const heads = sources.map(next);
  const found: Activity[] = [];
  while (found.length < most) {
    let chosen = -1;
    for (const [index, head] of heads.entries()) {
      if (head !== null && (chosen < 0 || head.sequence > (heads[chosen]?.sequence ?? -1))) chosen = index;
    }
    const head = heads[chosen];
    if (head === undefined || head === null) return found;
    found.push(head);
    heads[chosen] = next(sources[chosen] as Source);
  }
  return found;
}

function next(source: Source): Activity | null {
  if (source.left === 0) return null;
  source.left -= 1;
  return source.take(source.left);
}

const started = (operation: Operation): Activity => ({
  kind: "started",
  key: `s:${operation.id}`,
  sequence: operation.started,
  operation,
});
const ended = (operation: Operation): Activity => ({
  kind: "ended",
  key: `e:${operation.id}`,
  sequence: operation.ended ?? 0,
  operation,
});
const said = (told: VerdictAt): Activity => ({ kind: "verdict", key: `v:${told.id}`, sequence: told.sequence, verdict: told });
const called = (call: ModelCall): Activity => ({ kind: "call", key: `c:${call.id}`, sequence: call.sequence, call });

function entered(table: Table, row: number): Activity {
  const transition = {
    table: table.text(row, "table") ?? "",
    subject: table.text(row, "subject") ?? "",
    status: table.text(row, "status") ?? "",
  };
  return { kind: "transition", key: `t:${table.keys[row] ?? row}`, sequence: table.first[row] as number, transition };
}
