/** Statuses over time. */

import { countThrough } from "./search";
import type { Table } from "./table";

/** The statuses of one subject, in order. */
export interface Line {
  readonly sequences: number[];
  readonly statuses: string[];
}

/** The status after event `at`; null before the first. */
export function statusAt(line: Line | undefined, at: number): string | null {
  const count = line === undefined ? 0 : countThrough(line.sequences, at);
  return count === 0 ? null : (line?.statuses[count - 1] ?? null);
}

/** The statuses of all subjects of the run, from its `transitions`. */
export class Statuses {
  private readonly tables = new Map<string, Map<string, Line>>();
  private taken = 0;

  constructor(private readonly transitions: Table) {}

  catchUp(): void {
    const { transitions } = this;
    for (; this.taken < transitions.length; this.taken += 1) {
      const line = this.begun(transitions.text(this.taken, "table") ?? "", transitions.text(this.taken, "subject") ?? "");
      line.sequences.push(transitions.first[this.taken] as number);
      line.statuses.push(transitions.text(this.taken, "status") ?? "");
    }
  }

  line(table: string, subject: string): Line | undefined {
    return this.tables.get(table)?.get(subject);
  }

  /** The subjects of a table with a new status in the events after `from` up to `to`. */
  changed(table: string, from: number, to: number): string[] {
    const { transitions } = this;
    const found: string[] = [];
    const end = countThrough(transitions.first, to);
    for (let row = countThrough(transitions.first, from); row < end; row += 1) {
      if (transitions.text(row, "table") === table) found.push(transitions.text(row, "subject") ?? "");
    }
    return found;
  }

  private begun(table: string, subject: string): Line {
    let lines = this.tables.get(table);
    if (lines === undefined) this.tables.set(table, (lines = new Map()));
    let line = lines.get(subject);
    if (line === undefined) lines.set(subject, (line = { sequences: [], statuses: [] }));
    return line;
  }
}
