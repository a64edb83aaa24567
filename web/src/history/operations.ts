/** The operations of a run over time. */

import type { Usage } from "../wire/types";
import { countThrough } from "./search";
import type { Table } from "./table";

export interface Operation {
  readonly id: string;
  readonly step: string;
  readonly kind: string;
  readonly subjects: readonly string[];
  readonly operator: string | null;
  readonly parents: readonly string[];
  readonly why: string | null;
  readonly attempt: number;
  readonly started: number;
  readonly startedAt: string | null;
  /** Null while it is in flight. */
  readonly ended: number | null;
  readonly endedAt: string | null;
  readonly outcome: string;
  readonly energy: number | null;
  readonly usage: Usage;
  readonly error: string | null;
  readonly message: string | null;
}

/** The operations of a run; one that ended after a given moment was in flight at that moment. */
export class Operations {
  /** Rows in the order of their ends, and the events of these ends. */
  private readonly endedRows: number[] = [];
  private readonly endedSequences: number[] = [];
  private readonly open = new Set<number>();
  private readonly over = new Set<number>();
  private readonly bySubject = new Map<string, number[]>();
  private indexed = 0;
  private read = 0;

  constructor(readonly table: Table) {}

  catchUp(): void {
    const { table } = this;
    const found: number[] = [];
    for (; this.read < table.touched.length; this.read += 1) {
      const row = table.touched[this.read] as number;
      if (table.number(row, "ended") === null) this.open.add(row);
      else if (!this.over.has(row)) {
        this.open.delete(row);
        this.over.add(row);
        found.push(row);
      }
    }
    const end = (row: number) => table.number(row, "ended") as number;
    found.sort((one, other) => end(one) - end(other));
    for (const row of found) {
      this.endedRows.push(row);
      this.endedSequences.push(end(row));
    }
  }

  /** The operations that had begun and not ended, oldest first. */
  inFlightAt(at: number): Operation[] {
    const running = this.maybeInFlight(at).filter((row) => this.isInFlight(row, at));
    return running.sort((one, other) => one - other).map((row) => this.asOf(row, at));
  }

  /** Rows that include all operations in flight; the smaller of two such sets, because every row is then checked. */
  private maybeInFlight(at: number): number[] {
    const begun = this.startedCountAt(at);
    const over = this.endedCountAt(at);
    if (begun < this.endedRows.length - over + this.open.size) return Array.from({ length: begun }, (_, row) => row);
    return [...this.open, ...this.endedRows.slice(over)];
  }

  private isInFlight(row: number, at: number): boolean {
    if ((this.table.first[row] as number) > at) return false;
    const ended = this.table.number(row, "ended");
    return ended === null || ended > at;
  }

  /** The rows about a genome or a candidate, in order. */
  about(subject: string): readonly number[] {
    for (; this.indexed < this.table.length; this.indexed += 1) {
      for (const each of this.table.texts(this.indexed, "subject_ids")) this.note(each, this.indexed);
    }
    return this.bySubject.get(subject) ?? [];
  }

  private note(subject: string, row: number): void {
    const rows = this.bySubject.get(subject);
    if (rows === undefined) this.bySubject.set(subject, [row]);
    else rows.push(row);
  }

  startedCountAt(at: number): number {
    return countThrough(this.table.first, at);
  }

  endedCountAt(at: number): number {
    return countThrough(this.endedSequences, at);
  }

  /** The operation with the `index`-th end. */
  endedAt(index: number): Operation {
    return this.asOf(this.endedRows[index] as number, Infinity);
  }

  of(id: string, at: number): Operation | null {
    const row = this.table.find(id);
    return row < 0 || (this.table.first[row] as number) > at ? null : this.asOf(row, at);
  }

  asOf(row: number, at: number): Operation {
    const { table } = this;
    const ended = table.number(row, "ended");
    const over = ended !== null && ended <= at;
    // An operation lost with its conductor is started again, and the row has only its last start.
    const [first, last] = [table.first[row] as number, table.number(row, "started")];
    const anew = last !== null && last > at;
    const attempt = table.number(row, "attempt") ?? 1;
    const charged = table.number(row, "charged") ?? ended;
    return {
      id: table.keys[row] as string,
      step: table.text(row, "step") ?? "",
      kind: table.text(row, "kind") ?? "",
      subjects: table.texts(row, "subject_ids"),
      operator: table.text(row, "operator"),
      parents: table.texts(row, "parents"),
      why: table.text(row, "why"),
      attempt: anew ? Math.max(attempt - 1, 1) : attempt,
      started: anew ? first : (last ?? first),
      startedAt: anew ? null : table.text(row, "started_at"),
      ended: over ? ended : null,
      endedAt: over ? table.text(row, "ended_at") : null,
      outcome: over ? (table.text(row, "outcome") ?? "completed") : "running",
      energy: charged !== null && charged <= at ? table.number(row, "energy") : null,
      usage: over ? table.numbers(row, "usage") : {},
      error: over ? table.text(row, "error") : null,
      message: over ? table.text(row, "message") : null,
    };
  }
}
