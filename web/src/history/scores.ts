/** Fitness over time: the best so far, and the mean of the last scores. */

import { countThrough } from "./search";
import type { Table } from "./table";

/** Number of scores in the running mean. */
export const MEAN_OF = 20;

export interface Best {
  readonly candidateId: string;
  readonly fitness: number;
  readonly sequence: number;
}

/** Columns with one point per score. They may be longer than `length`: later points are to be ignored. */
export interface ScoreSeries {
  readonly length: number;
  readonly sequence: readonly number[];
  readonly total: readonly number[];
  readonly best: readonly number[];
  readonly mean: readonly number[];
}

export interface Score {
  readonly candidateId: string;
  readonly total: number;
  readonly components: Readonly<Record<string, number>>;
  readonly descriptor: Readonly<Record<string, number>>;
  readonly estimated: readonly string[];
  readonly absent: readonly string[];
  readonly policy: string;
  readonly sequence: number;
}

/** All scores of the run in order; in a tie the older birth is the best. */
export class Scores {
  private sequence: number[] = [];
  private total: number[] = [];
  private best: number[] = [];
  private mean: number[] = [];
  private bestRow: number[] = [];
  private made: Score[] = [];
  private byCandidate = new Map<string, number[]>();
  private window = 0;
  private read = 0;

  constructor(
    private readonly table: Table,
    private readonly birthOf: (candidateId: string) => number,
  ) {}

  catchUp(): void {
    const { touched } = this.table;
    const before = this.sequence.length;
    for (; this.read < touched.length; this.read += 1) {
      const row = touched[this.read] as number;
      if (row < before) return this.rebuild();
      if (row === this.sequence.length) this.take(row);
    }
  }

  /** Start over: a candidate was scored again by the same policy, so everything after that may differ. */
  private rebuild(): void {
    [this.sequence, this.total, this.best, this.mean, this.bestRow, this.made] = [[], [], [], [], [], []];
    this.byCandidate = new Map();
    this.window = 0;
    for (let row = 0; row < this.table.length; row += 1) this.take(row);
    this.read = this.table.touched.length;
  }

  private take(row: number): void {
    const total = this.table.number(row, "total") ?? 0;
    const candidate = this.candidate(row);
    this.sequence.push(this.table.first[row] as number);
    this.total.push(total);
    const known = this.byCandidate.get(candidate);
    if (known === undefined) this.byCandidate.set(candidate, [row]);
    else known.push(row);
    this.average(total);
    this.rank(row, total);
    this.made.push(this.score(row));
  }

  private average(total: number): void {
    const count = this.total.length;
    this.window += total - (count > MEAN_OF ? (this.total[count - 1 - MEAN_OF] as number) : 0);
    this.mean.push(this.window / Math.min(count, MEAN_OF));
  }

  private rank(row: number, total: number): void {
    const best = this.bestRow.at(-1);
    const wins = best === undefined || this.beats(row, total, best);
    this.bestRow.push(wins ? row : best);
    this.best.push(wins ? total : (this.best.at(-1) as number));
  }

  private beats(row: number, total: number, best: number): boolean {
    const record = this.total[best] as number;
    return total > record || (total === record && this.birthOf(this.candidate(row)) < this.birthOf(this.candidate(best)));
  }

  private candidate(row: number): string {
    return this.table.text(row, "candidate_id") ?? "";
  }

  countAt(at: number): number {
    return countThrough(this.sequence, at);
  }

  seriesAt(at: number): ScoreSeries {
    const { sequence, total, best, mean } = this;
    return { length: this.countAt(at), sequence, total, best, mean };
  }

  bestAt(at: number): Best | null {
    const row = this.bestRow[this.countAt(at) - 1];
    if (row === undefined) return null;
    return { candidateId: this.candidate(row), fitness: this.total[row] as number, sequence: this.sequence[row] as number };
  }

  /** The candidate's latest score as of event `at`. */
  ofAt(candidateId: string, at: number): Score | null {
    const row = this.rowAt(candidateId, at);
    return row === null ? null : (this.made[row] ?? null);
  }

  totalAt(candidateId: string, at: number): number | null {
    const row = this.rowAt(candidateId, at);
    return row === null ? null : (this.total[row] as number);
  }

  /** The latest score of every scored candidate, in order of their first scores. */
  latestAt(at: number): readonly Score[] {
    const scored = this.made.slice(0, this.countAt(at));
    if (this.byCandidate.size === this.made.length) return scored;
    return [...new Map(scored.map((score) => [score.candidateId, score])).values()];
  }

  /** The candidates that were scored in the events after `from` up to `to`. */
  between(from: number, to: number): string[] {
    return this.made.slice(this.countAt(from), this.countAt(to)).map((score) => score.candidateId);
  }

  private rowAt(candidateId: string, at: number): number | null {
    const rows = this.byCandidate.get(candidateId) ?? [];
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      const row = rows[index] as number;
      if ((this.sequence[row] as number) <= at) return row;
    }
    return null;
  }

  private score(row: number): Score {
    const { table } = this;
    return {
      candidateId: this.candidate(row),
      total: this.total[row] as number,
      components: table.numbers(row, "components"),
      descriptor: table.numbers(row, "descriptor"),
      estimated: table.texts(row, "estimated"),
      absent: table.texts(row, "absent"),
      policy: table.text(row, "policy_version") ?? "",
      sequence: this.sequence[row] as number,
    };
  }
}
