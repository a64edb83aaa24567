/**
 * What operations count against the caps, as the server counts: an attempt at its allowance from its start on, at what it
 * used from its end on. One that was lost with its conductor was never measured and stays at its allowance. Energy is
 * charged for success only: it is held back once, however many attempts there are, and let go at the end.
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
  /** By row, how many attempts are counted, and whether its end is. */
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

  /** Its first attempt is as old as the row; of later ones the row tells the last start. */
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
    if (this.table.text(row, "kind") === "child") return []; // what it used stands in its parent's usage, too
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
