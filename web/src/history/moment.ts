/** The run as of one of its events. Every value is computed on first use and cached. */

import { TERMINAL } from "../wire/types";
import type { Caps, DescriptorAxis, RunStatus } from "../wire/types";
import { activityAt, modelCall } from "./activity";
import type { Activity, ModelCall } from "./activity";
import { archiveOf } from "./archive";
import type { Cell } from "./archive";
import type { Counted } from "./attempts";
import { championsOf } from "./champions";
import type { VerdictAt } from "./champions";
import { conductingAt } from "./conducting";
import type { ConductingAt } from "./conducting";
import type { Indexes } from "./indexes";
import { livingOf } from "./living";
import type { Operation } from "./operations";
import type { CandidateAt, GenerationAt, GenomeAt } from "./organisms";
import { paretoFront } from "./pareto";
import type { Direction } from "./pareto";
import type { Best, Score, ScoreSeries } from "./scores";
import type { SpendSeries } from "./spend";
import { statusAt } from "./statuses";

export interface RunAt {
  readonly id: string;
  readonly status: RunStatus | null;
  readonly over: boolean;
  /** The reason for the end, once it has ended. */
  readonly reason: string | null;
  readonly domain: string | null;
  readonly problem: string | null;
  readonly seed: number | null;
  readonly caps: Caps | null;
  readonly modelProfile: string | null;
  readonly startedAt: string | null;
  readonly finalCandidateId: string | null;
}

export interface Totals {
  readonly events: number;
  readonly candidates: number;
  readonly scored: number;
  readonly energy: number;
  readonly costMicrousd: number;
  readonly tokens: number;
  readonly modelCalls: number;
  /** What counts against the caps: the usage of ended operations and the allowances of those in flight. */
  readonly counted: Counted;
}

export class Moment {
  private readonly kept = new Map<string, unknown>();

  constructor(
    readonly runId: string,
    /** The last event that is included; -1 before the first event. */
    readonly sequence: number,
    /** Whether this is the last known event. */
    readonly latest: boolean,
    private readonly indexes: Indexes,
  ) {}

  private once<T>(name: string, make: () => T): T {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name) as T;
  }

  /** The time of the moment in milliseconds since 1970, interpolated between known times. */
  get time(): number | null {
    return this.indexes.clock.at(this.sequence);
  }

  timeOf(sequence: number): number | null {
    return this.indexes.clock.at(sequence);
  }

  get run(): RunAt {
    return this.once("run", () => {
      const { runs } = this.indexes.tables;
      const status = statusAt(this.indexes.statuses.line("runs", this.runId), this.sequence) as RunStatus | null;
      const over = status !== null && TERMINAL.has(status);
      const told = (name: string) => (this.sequence < 0 ? null : runs.text(0, name));
      return {
        id: this.runId,
        status,
        over,
        reason: over ? told("reason") : null,
        domain: told("domain"),
        problem: told("problem"),
        seed: runs.number(0, "rng_seed"),
        caps: runs.length > 0 ? (runs.numbers(0, "caps") as Caps) : null,
        modelProfile: told("model_profile"),
        startedAt: told("started_at"),
        finalCandidateId: status === "completed" ? told("final_candidate_id") : null,
      };
    });
  }

  /** The conductor and the total time with one; null if the rows lack it. */
  get conducting(): ConductingAt | null {
    return this.once("conducting", () => conductingAt(this.indexes.tables.runs, this.sequence, this.time));
  }

  get generations(): readonly GenerationAt[] {
    return this.once("generations", () => this.indexes.generations.at(this.sequence));
  }

  /** The genomes born by then, in order of birth. */
  get genomes(): readonly GenomeAt[] {
    return this.once("genomes", () => this.indexes.genomes.at(this.sequence));
  }

  get candidates(): readonly CandidateAt[] {
    return this.once("candidates", () => this.indexes.candidates.at(this.sequence));
  }

  genome(id: string): GenomeAt | null {
    return this.indexes.genomes.of(id, this.sequence);
  }

  /** The energy charged for a genome's birth. Its own row has it only for founders, which no operation makes. */
  birthEnergy(genomeId: string): number {
    const { genomes } = this.indexes.tables;
    const row = genomes.find(genomeId);
    const charged = row < 0 ? null : genomes.number(row, "charged");
    return charged !== null && charged <= this.sequence ? (genomes.number(row, "energy") ?? 0) : 0;
  }

  candidate(id: string): CandidateAt | null {
    return this.indexes.candidates.of(id, this.sequence);
  }

  /** The candidates of a genome, oldest first. */
  expressed(genomeId: string): readonly CandidateAt[] {
    const { candidates, expressed } = this.indexes;
    const found = expressed.of(genomeId).map((row) => candidates.ofRow(row, this.sequence));
    return found.filter((each) => each !== null);
  }

  /** Operations in flight; none once the run has ended. */
  get inFlight(): readonly Operation[] {
    return this.once("inFlight", () => (this.run.over ? [] : this.indexes.operations.inFlightAt(this.sequence)));
  }

  /** Living genomes plus genomes being made. Those in the making when the run ended still count, as on the server. */
  get population(): number {
    return this.once("population", () => {
      const made = this.indexes.operations.inFlightAt(this.sequence).filter(({ kind }) => kind === "vary");
      return livingOf(this.genomes, this.candidates) + made.length;
    });
  }

  operation(id: string): Operation | null {
    return this.indexes.operations.of(id, this.sequence);
  }

  /** The operations about a genome or a candidate, oldest first. */
  operationsAbout(subject: string): readonly Operation[] {
    const { operations } = this.indexes;
    const rows = operations.about(subject).filter((row) => row < operations.startedCountAt(this.sequence));
    return rows.map((row) => operations.asOf(row, this.sequence));
  }

  get best(): Best | null {
    return this.indexes.scores.bestAt(this.sequence);
  }

  /** Best so far and running mean, one point per score. */
  get scoreSeries(): ScoreSeries {
    return this.once("scoreSeries", () => this.indexes.scores.seriesAt(this.sequence));
  }

  /** The latest score of each candidate. */
  get scores(): readonly Score[] {
    return this.once("scores", () => this.indexes.scores.latestAt(this.sequence));
  }

  scoreOf(candidateId: string): Score | null {
    return this.indexes.scores.ofAt(candidateId, this.sequence);
  }

  get energySeries(): SpendSeries {
    return this.once("energySeries", () => this.indexes.energy.seriesAt(this.sequence));
  }

  get costSeries(): SpendSeries {
    return this.once("costSeries", () => this.indexes.calls.cost.seriesAt(this.sequence));
  }

  get totals(): Totals {
    return this.once("totals", () => {
      const { attempts, calls, energy, scores, tables } = this.indexes;
      // Some energy is not charged to any operation; the run's own row has the exact final total.
      const told = this.latest ? tables.runs.number(0, "energy_spent") : null; // earlier moments have only the sum
      return {
        events: this.sequence + 1,
        candidates: this.candidates.length,
        scored: scores.countAt(this.sequence),
        energy: told ?? energy.at(this.sequence),
        costMicrousd: calls.cost.at(this.sequence),
        tokens: calls.tokens.at(this.sequence),
        modelCalls: calls.countAt(this.sequence),
        counted: attempts.at(this.sequence),
      };
    });
  }

  get verdicts(): readonly VerdictAt[] {
    return this.once("verdicts", () => this.indexes.verdicts.at(this.sequence));
  }

  /** The current champion of each niche. */
  get champions(): ReadonlyMap<string, string> {
    return this.once("champions", () => championsOf(this.verdicts));
  }

  /** The occupied cells of the archive. */
  archive(axes: readonly DescriptorAxis[]): readonly Cell[] {
    return this.once(`archive:${JSON.stringify(axes)}`, () => archiveOf(this.scores, axes));
  }

  front(objectives: readonly string[], directions: Readonly<Record<string, Direction>> = {}): readonly Score[] {
    const name = `front:${objectives.join()}:${JSON.stringify(directions)}`;
    return this.once(name, () => paretoFront(this.scores, objectives, directions));
  }

  /** Recent activity, newest first. */
  activity(most = 100): readonly Activity[] {
    const { operations, tables, verdicts } = this.indexes;
    return this.once(`activity:${most}`, () =>
      activityAt(this.sequence, most, operations, tables.transitions, verdicts, tables.model_calls),
    );
  }

  /** The last model calls, newest first. */
  modelCalls(most = 100): readonly ModelCall[] {
    const { model_calls: table } = this.indexes.tables;
    const count = this.indexes.calls.countAt(this.sequence);
    const shown = Math.min(count, most);
    return this.once(`calls:${most}`, () => Array.from({ length: shown }, (_, index) => modelCall(table, count - 1 - index)));
  }
}
