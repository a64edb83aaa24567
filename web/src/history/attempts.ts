/**
 * How operations count against the caps, computed as on the server: an attempt counts with its allowance from its start,
 * and with its usage from its end. An attempt lost with its conductor was not measured and keeps counting with its
 * allowance. Energy is charged only on success: it is reserved once for all attempts and released at the end.
 */

import { Spend } from "./spend";
import type { Table } from "./table";

const NAMES = ["toolCalls", "tokens", "costMicrousd", "evaluations", "reservedEnergy"] as const;

export type Counted = Readonly<Record<(typeof NAMES)[number], number>>;

interface Change {
  readonly sequence: number;
  readonly by: Counted;
}

export class Attempts {
  private readonly spends: Readonly<Record<(typeof NAMES)[number], Spend>> = {
    toolCalls: new Spend(),
    tokens: new Spend(),
    costMicrousd: new Spend(),
    evaluations: new Spend(),
    reservedEnergy: new Spend(),
  };
  /** Number of counted attempts by row, and the rows with a counted end. */
  private readonly attempts: number[] = [];
  private readonly ended = new Set<number>();
  private read = 0;

  constructor(private readonly table: Table) {}

  catchUp(): void {
    const { touched } = this.table;
    const found: Change[] = [];
    for (; this.read < touched.length; this.read += 1) {
      const row = touched[this.read] as number;
      found.push(...this.begun(row), ...this.over(row));
    }
    found.sort((one, other) => one.sequence - other.sequence);
    for (const { sequence, by } of found) for (const name of NAMES) this.spends[name].add(sequence, by[name]);
  }

  at(sequence: number): Counted {
    const { toolCalls, tokens, costMicrousd, evaluations, reservedEnergy } = this.spends;
    return {
      toolCalls: toolCalls.at(sequence),
      tokens: tokens.at(sequence),
      costMicrousd: costMicrousd.at(sequence),
      evaluations: evaluations.at(sequence),
      reservedEnergy: reservedEnergy.at(sequence),
    };
  }

  /** The attempts that began. The row itself dates the first one; of later ones only the last start is known. */
  private begun(row: number): Change[] {
    const { table } = this;
    const [known, attempts] = [this.attempts[row] ?? 0, table.number(row, "attempt") ?? 1];
    if (attempts <= known) return [];
    this.attempts[row] = attempts;
    const [first, allowed] = [table.first[row] as number, this.allowed(row)];
    const begun: Change[] = known === 0 ? [{ sequence: first, by: { ...allowed, reservedEnergy: this.reserved(row) } }] : [];
    const more = attempts - Math.max(known, 1);
    if (more > 0) begun.push({ sequence: table.number(row, "started") ?? first, by: times(allowed, more) });
    return begun;
  }

  private over(row: number): Change[] {
    const sequence = this.table.number(row, "ended");
    if (sequence === null || this.ended.has(row)) return [];
    this.ended.add(row);
    if (this.table.text(row, "kind") === "child") return []; // its usage is also part of its parent's
    const [used, allowed] = [this.table.numbers(row, "usage"), this.allowed(row)];
    const by: Counted = {
      toolCalls: (used.tool_calls ?? 0) - allowed.toolCalls,
      tokens: (used.tokens_in ?? 0) + (used.tokens_out ?? 0) - allowed.tokens,
      costMicrousd: (used.cost_microusd ?? 0) - allowed.costMicrousd,
      evaluations: (used.evaluations ?? 0) - allowed.evaluations,
      reservedEnergy: -this.reserved(row),
    };
    return [{ sequence, by }];
  }

  private allowed(row: number): Counted {
    const { tool_calls = 0, tokens = 0, cost_microusd = 0, evaluations = 0 } = this.table.numbers(row, "allowance");
    return { toolCalls: tool_calls, tokens, costMicrousd: cost_microusd, evaluations, reservedEnergy: 0 };
  }

  private reserved(row: number): number {
    return this.table.number(row, "reserved") ?? 0;
  }
}

function times({ toolCalls, tokens, costMicrousd, evaluations }: Counted, count: number): Counted {
  return {
    toolCalls: toolCalls * count,
    tokens: tokens * count,
    costMicrousd: costMicrousd * count,
    evaluations: evaluations * count,
    reservedEnergy: 0,
  };
}
