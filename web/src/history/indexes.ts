/** Indexes derived from the rows, updated incrementally. */

import { TABLES } from "../wire/types";
import type { History, Step, TableName } from "../wire/types";
import { Attempts } from "./attempts";
import { Verdicts } from "./champions";
import { Clock } from "./clock";
import { Expressed } from "./expressed";
import { Operations } from "./operations";
import { candidateRoster, generationRoster, genomeRoster } from "./organisms";
import type { CandidateAt, GenerationAt, GenomeAt } from "./organisms";
import type { Roster } from "./roster";
import { Scores } from "./scores";
import { CallSpend, Charges, Spend } from "./spend";
import { Statuses } from "./statuses";
import { Table } from "./table";

export type Tables = Readonly<Record<TableName, Table>>;

export class Indexes {
  readonly tables: Tables;
  readonly statuses: Statuses;
  readonly scores: Scores;
  readonly operations: Operations;
  readonly energy = new Spend();
  readonly calls: CallSpend;
  readonly attempts: Attempts;
  readonly verdicts: Verdicts;
  readonly generations: Roster<GenerationAt>;
  readonly genomes: Roster<GenomeAt>;
  readonly candidates: Roster<CandidateAt>;
  readonly expressed: Expressed;
  readonly clock: Clock;
  private readonly charges: readonly Charges[];

  constructor(told: Pick<History, "sequence" | "tables">) {
    const tables = Object.fromEntries(TABLES.map((name) => [name, new Table(told.tables[name])])) as Tables;
    this.tables = tables;
    this.statuses = new Statuses(tables.transitions);
    this.scores = new Scores(tables.fitness_scores, (id) => this.birthOf(id));
    this.operations = new Operations(tables.operations);
    this.calls = new CallSpend(tables.model_calls);
    this.attempts = new Attempts(tables.operations);
    this.verdicts = new Verdicts(tables.verdicts);
    this.generations = generationRoster(tables.generations, this.statuses);
    this.genomes = genomeRoster(tables.genomes, this.statuses);
    this.candidates = candidateRoster(tables.candidates, this.statuses, this.scores);
    this.expressed = new Expressed(tables.candidates);
    this.charges = [new Charges(tables.operations, this.energy), new Charges(tables.genomes, this.energy)];
    this.clock = Clock.of(tables, told.sequence);
    this.catchUp();
  }

  /** Apply the changes of one event; call `catchUp` before the next read. */
  apply(step: Step): void {
    for (const [table, key, values] of step.changes) this.tables[table]?.apply(key, values, step.sequence);
    this.clock.add(step.sequence, step.at);
  }

  catchUp(): void {
    const spent = [this.calls, this.attempts, ...this.charges];
    const derived = [this.statuses, this.scores, this.operations, this.verdicts, this.expressed, ...spent];
    for (const each of derived) each.catchUp();
    for (const roster of [this.generations, this.genomes, this.candidates]) roster.catchUp();
  }

  private birthOf(candidateId: string): number {
    const { candidates } = this.tables;
    const row = candidates.find(candidateId);
    return row < 0 ? 0 : (candidates.number(row, "birth") ?? 0);
  }
}
