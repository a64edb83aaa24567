/** The subjects of a table as of a moment. An unchanged subject is the same object as before, so it is not re-rendered. */

import { statusAt } from "./statuses";
import type { Line, Statuses } from "./statuses";
import type { Table } from "./table";

/** Between moments closer than this many events, only the subjects that changed in between are updated. */
const NEAR = 4_000;

export interface RosterOptions<T> {
  readonly make: (row: number, id: string, status: string, at: number) => T;
  /** Whether an object made for another moment with the same status is still correct. */
  readonly holds?: (made: T, at: number) => boolean;
  /** Subjects that may have changed in the events after `from` up to `to`, apart from those with a new status. */
  readonly changed?: (from: number, to: number) => Iterable<string>;
}

export class Roster<T extends { readonly status: string }> {
  private readonly lines: (Line | undefined)[] = [];
  private readonly made: (T | undefined)[] = [];
  /** The subjects as of `shownAt`, by row; null for those that did not exist yet. */
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

  /** The subjects that had a status by then: a row may exist before its subject has one. */
  at(at: number): T[] {
    const from = this.shownAt;
    const rows = from !== null && Math.abs(at - from) < NEAR ? this.between(from, at) : this.table.keys.keys();
    for (const row of rows) this.shown[row] = this.look(row, at);
    this.dirty = [];
    this.shownAt = at;
    return this.shown.filter((each) => each !== null);
  }

  /** The subject with this id as of then; null if it had no status yet. */
  of(id: string, at: number): T | null {
    const row = this.table.find(id);
    return row < 0 ? null : this.look(row, at);
  }

  /** The same, by row. */
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
