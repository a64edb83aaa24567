/** The subjects of a table as they were at a moment. Whoever is as before is the same object as before. */

import { statusAt } from "./statuses";
import type { Line, Statuses } from "./statuses";
import type { Table } from "./table";

/** From one moment to one nearer than this, only who changed in between is looked at. */
const NEAR = 4_000;

export interface RosterOptions<T> {
  readonly make: (row: number, id: string, status: string, at: number) => T;
  /** Whether one that was made for another moment, in the same state, is still right. */
  readonly holds?: (made: T, at: number) => boolean;
  /** Who may have changed with the events after `from` and through `to`, beside those whose state did. */
  readonly changed?: (from: number, to: number) => Iterable<string>;
}

export class Roster<T extends { readonly status: string }> {
  private readonly lines: (Line | undefined)[] = [];
  private readonly made: (T | undefined)[] = [];
  /** By row, those that there were at `shownAt`; who was not there yet is null. */
  private readonly shown: (T | null)[] = [];
  private shownAt: number | null = null;
  private dirty: number[] = [];
  private read = 0;

  constructor(
    private readonly name: string,
    private readonly table: Table,
    private readonly statuses: Statuses,
    private readonly options: RosterOptions<T>,
  ) {}

  catchUp(): void {
    const { touched } = this.table;
    for (; this.read < touched.length; this.read += 1) {
      const row = touched[this.read] as number;
      this.made[row] = undefined;
      this.dirty.push(row);
    }
  }

  /** Those that had a state by then: a row may begin before its subject does. */
  at(at: number): T[] {
    const from = this.shownAt;
    const rows = from !== null && Math.abs(at - from) < NEAR ? this.between(from, at) : this.table.keys.keys();
    for (const row of rows) this.shown[row] = this.look(row, at);
    this.dirty = [];
    this.shownAt = at;
    return this.shown.filter((each) => each !== null);
  }

  /** The one with this id as it was then; null where it had no state yet. */
  of(id: string, at: number): T | null {
    const row = this.table.find(id);
    return row < 0 ? null : this.look(row, at);
  }

  /** The same by its row. */
  ofRow(row: number, at: number): T | null {
    return this.look(row, at);
  }

  private between(one: number, other: number): number[] {
    const [from, to] = one < other ? [one, other] : [other, one];
    const subjects = [...this.statuses.changed(this.name, from, to), ...(this.options.changed?.(from, to) ?? [])];
    return [...this.dirty, ...subjects.map((subject) => this.table.find(subject)).filter((row) => row >= 0)];
  }

  private look(row: number, at: number): T | null {
    const status = (this.table.first[row] as number) > at ? null : statusAt(this.line(row), at);
    return status === null ? null : this.member(row, status, at);
  }

  private member(row: number, status: string, at: number): T {
    const known = this.made[row];
    if (known !== undefined && known.status === status && (this.options.holds?.(known, at) ?? true)) return known;
    const made = this.options.make(row, this.table.keys[row] as string, status, at);
    this.made[row] = made;
    return made;
  }

  private line(row: number): Line | undefined {
    return (this.lines[row] ??= this.statuses.line(this.name, this.table.keys[row] as string));
  }
}
