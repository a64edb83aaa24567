/**
 * How many calls of tools count against the cap, as the server counts: an attempt at its allowance from its start on, at what
 * it used from its end on. One that was lost with its conductor was never measured and stays at its allowance.
 */

import { Spend } from "./spend";
import type { Table } from "./table";

interface Amount {
  readonly sequence: number;
  readonly calls: number;
}

export class ToolCalls {
  private readonly spend = new Spend();
  /** By row, how many attempts are counted, and whether its end is. */
  private readonly attempts: number[] = [];
  private readonly ended = new Set<number>();
  private read = 0;

  constructor(private readonly table: Table) {}

  catchUp(): void {
    const { touched } = this.table;
    const found: Amount[] = [];
    for (; this.read < touched.length; this.read += 1) {
      const row = touched[this.read] as number;
      found.push(...this.begun(row), ...this.over(row));
    }
    found.sort((one, other) => one.sequence - other.sequence);
    for (const { sequence, calls } of found) this.spend.add(sequence, calls);
  }

  at(sequence: number): number {
    return this.spend.at(sequence);
  }

  /** Its first attempt is as old as the row; of later ones the row tells the last start. */
  private begun(row: number): Amount[] {
    const { table } = this;
    const [known, attempts] = [this.attempts[row] ?? 0, table.number(row, "attempt") ?? 1];
    if (attempts <= known) return [];
    this.attempts[row] = attempts;
    const [first, allowed] = [table.first[row] as number, this.allowed(row)];
    const anew = { sequence: table.number(row, "started") ?? first, calls: allowed * (attempts - Math.max(known, 1)) };
    return known === 0 ? [{ sequence: first, calls: allowed }, anew] : [anew];
  }

  private over(row: number): Amount[] {
    const sequence = this.table.number(row, "ended");
    if (sequence === null || this.ended.has(row)) return [];
    this.ended.add(row);
    return [{ sequence, calls: (this.table.numbers(row, "usage").tool_calls ?? 0) - this.allowed(row) }];
  }

  private allowed(row: number): number {
    return this.table.numbers(row, "allowance").tool_calls ?? 0;
  }
}
