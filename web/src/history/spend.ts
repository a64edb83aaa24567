/** Cumulative spend over time. */

import { countThrough } from "./search";
import type { Table } from "./table";

/** Columns with the total spend after each event. They may be longer than `length`: later points are to be ignored. */
export interface SpendSeries {
  readonly length: number;
  readonly sequence: readonly number[];
  readonly total: readonly number[];
}

/** Amounts in the order of their events. */
export class Spend {
  private readonly sequence: number[] = [];
  private readonly total: number[] = [];

  /** Add an amount. Amounts arrive almost in order; a late one is inserted at its place. */
  add(sequence: number, amount: number): void {
    if (amount === 0) return;
    let place = this.sequence.length;
    while (place > 0 && (this.sequence[place - 1] as number) > sequence) place -= 1;
    this.sequence.splice(place, 0, sequence);
    this.total.splice(place, 0, place === 0 ? 0 : (this.total[place - 1] as number));
    // Usually only the last element: a late amount must be added to every later total.
    for (let later = place; later < this.total.length; later += 1) this.total[later] = (this.total[later] as number) + amount;
  }

  at(at: number): number {
    return this.total[countThrough(this.sequence, at) - 1] ?? 0;
  }

  seriesAt(at: number): SpendSeries {
    return { length: countThrough(this.sequence, at), sequence: this.sequence, total: this.total };
  }
}

interface Charge {
  readonly row: number;
  readonly sequence: number;
  readonly amount: number;
}

/** Energy, from the rows of a table with the amount and the event of each charge. */
export class Charges {
  private readonly counted: number[] = [];
  private read = 0;

  constructor(
    private readonly table: Table,
    private readonly spend: Spend,
  ) {}

  catchUp(): void {
    const found = this.table.touched.slice(this.read).flatMap((row) => this.charge(row));
    this.read = this.table.touched.length;
    found.sort((one, other) => one.sequence - other.sequence);
    for (const { row, sequence, amount } of found) {
      this.spend.add(sequence, amount - (this.counted[row] ?? 0));
      this.counted[row] = amount;
    }
  }

  private charge(row: number): Charge[] {
    const amount = this.table.number(row, "energy");
    const sequence = this.table.number(row, "charged") ?? this.table.number(row, "ended");
    return amount === null || sequence === null ? [] : [{ row, sequence, amount }];
  }
}

/** Cost and tokens of the model calls, each counted at the event that records it. */
export class CallSpend {
  readonly cost = new Spend();
  readonly tokens = new Spend();
  private taken = 0;

  constructor(private readonly calls: Table) {}

  catchUp(): void {
    const { calls } = this;
    for (; this.taken < calls.length; this.taken += 1) {
      const sequence = calls.first[this.taken] as number;
      const amount = (name: string) => calls.number(this.taken, name) ?? 0;
      this.cost.add(sequence, amount("cost_microusd"));
      this.tokens.add(sequence, amount("tokens_in") + amount("tokens_out"));
    }
  }

  countAt(at: number): number {
    return countThrough(this.calls.first, at);
  }
}
