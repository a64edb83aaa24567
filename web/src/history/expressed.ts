/** The candidates of each genome. */

import type { Table } from "./table";

export class Expressed {
  private readonly rows = new Map<string, number[]>();
  private readonly known = new Set<number>();
  private read = 0;

  constructor(private readonly candidates: Table) {}

  catchUp(): void {
    const { touched } = this.candidates;
    for (; this.read < touched.length; this.read += 1) {
      const row = touched[this.read] as number;
      const genome = this.candidates.text(row, "genome_id");
      if (genome !== null && !this.known.has(row)) this.note(genome, row);
    }
  }

  private note(genome: string, row: number): void {
    this.known.add(row);
    const rows = this.rows.get(genome);
    if (rows === undefined) this.rows.set(genome, [row]);
    else rows.push(row);
  }

  /** The rows of a genome's candidates, oldest first. */
  of(genome: string): readonly number[] {
    return [...(this.rows.get(genome) ?? [])].sort((one, other) => one - other);
  }
}
