/** Random runs in the server's format: steps, and the resulting rows. */

import { TABLES } from "../src/wire/types";
import type { Change, Columns, History, Json, JsonObject, Step, TableName } from "../src/wire/types";

export const RUN = "00000000-0000-7000-8000-000000000001";
const BEGIN = Date.parse("2026-01-02T03:04:05Z");

/** A seeded random generator of numbers between 0 and 1 (mulberry32). */
export function randomness(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Born {
  readonly id: string;
  readonly birth: number;
  readonly depth: number;
}

/** Generates valid steps: each depends on the steps before it. */
class Story {
  readonly steps: Step[] = [];
  private readonly genomes: Born[] = [];
  private readonly candidates: { id: string; birth: number; scored: boolean }[] = [];
  private readonly open: string[] = [];
  private energy = 0;
  private readonly conducting: Json[] = [];

  constructor(private readonly random: () => number) {}

  private pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  private say(type: string, ...changes: Change[]): void {
    const sequence = this.steps.length;
    const at = new Date(BEGIN + sequence * 250).toISOString();
    const run: JsonObject = { events: sequence + 1, last_event_at: at, energy_spent: this.energy };
    this.steps.push({ sequence, at, type, changes: [...changes, ["runs", RUN, run]] });
  }

  private entered(table: TableName, subject: string, status: string): Change {
    return ["transitions", `${this.steps.length}:${subject}`, { table, subject, status }];
  }

  begin(): void {
    const at = new Date(BEGIN).toISOString();
    const told: JsonObject = { domain: "texts", problem: "a problem", rng_seed: 7, caps: { energy_budget: 5000 }, started_at: at, conducting: [] };
    this.say("run.configured", this.entered("runs", RUN, "configured"), ["runs", RUN, { ...told, status: "configured" }]);
    this.say("run.started", this.entered("runs", RUN, "running"), ["runs", RUN, { status: "running" }]);
    this.say("generation.started", ["generations", "g0", { status: "running", index: 0, population: 4 }], this.entered("generations", "g0", "running"));
  }

  /** A conductor takes over the run. */
  private takeOver(): void {
    const began = new Date(BEGIN + this.steps.length * 250).toISOString();
    this.conducting.push([this.steps.length, began, this.conducting.length * 100, `conductor-${this.conducting.length}`]);
    this.say("run.taken_over", ["runs", RUN, { conducting: [...this.conducting] }]);
  }

  next(): void {
    const roll = this.random();
    if (this.steps.length % 50 === 10) return this.takeOver();
    if (this.steps.length % 12 === 7 && this.candidates.some(({ scored }) => scored)) return this.turnDown();
    if (roll < 0.2 || this.genomes.length === 0) this.spawn();
    else if (roll < 0.4) this.start();
    else if (roll < 0.6) this.end();
    else if (roll < 0.75) this.create();
    else if (roll < 0.9) this.score();
    else if (roll < 0.95) this.judge();
    else this.call();
  }

  finish(status: "completed" | "stopped"): void {
    const winner = this.candidates[0]?.id ?? null;
    const told: JsonObject = status === "completed" ? { final_candidate_id: winner } : { reason: "asked to" };
    this.say(`run.${status}`, this.entered("runs", RUN, status), ["runs", RUN, { ...told, status, ended: this.steps.length }]);
  }

  private spawn(): void {
    const parent = this.random() < 0.7 ? this.pick(this.genomes) : undefined;
    const birth = this.genomes.length;
    const born = { id: `genome-${birth}`, birth, depth: (parent?.depth ?? -1) + 1 };
    this.genomes.push(born);
    const values = { birth, depth: born.depth, parents: parent ? [parent.id] : [], generation_id: "g0", operator: parent ? "vary" : null };
    this.energy += 50;
    const charged = { energy: 50, charged: this.steps.length };
    this.say("genome.spawned", ["genomes", born.id, { ...values, ...charged, status: "seeded" }], this.entered("genomes", born.id, "seeded"));
  }

  private start(): void {
    const id = `operation-${this.steps.length}`;
    const subject = this.pick(this.candidates)?.id ?? this.pick(this.genomes)?.id ?? "";
    this.open.push(id);
    const sequence = this.steps.length;
    const at = new Date(BEGIN + sequence * 250).toISOString();
    const kind = this.random() < 0.3 ? "vary" : "examine";
    const values = { step: `texts.${kind}`, kind, allowance: { tool_calls: 4 }, subject_ids: [subject], operator: null, parents: [], why: "due", attempt: 1 };
    this.say("operation.started", ["operations", id, { ...values, started: sequence, started_at: at, ended: null }]);
  }

  private end(): void {
    const id = this.pick(this.open);
    if (id === undefined) return this.start();
    this.open.splice(this.open.indexOf(id), 1);
    const energy = Math.floor(this.random() * 40);
    const at = new Date(BEGIN + (this.steps.length + 1) * 250).toISOString();
    const outcome = this.random() < 0.8 ? "completed" : "failed";
    this.energy += energy;
    this.say("energy.spent", ["operations", id, { energy, charged: this.steps.length }]);
    this.say("operation.completed", ["operations", id, { ended: this.steps.length, ended_at: at, outcome, usage: { cpu_ms: 3, tool_calls: energy % 4 } }]);
  }

  private create(): void {
    const genome = this.pick(this.genomes) as Born;
    const id = `candidate-${this.candidates.length}`;
    this.candidates.push({ id, birth: genome.birth, scored: false });
    const values = { genome_id: genome.id, generation_id: "g0", birth: genome.birth, summary: `of ${genome.id}`, status: "created" };
    this.say("candidate.created", ["candidates", id, values], this.entered("candidates", id, "created"));
  }

  /** A candidate with a score is rejected, or a genome is spent or culled. */
  private turnDown(): void {
    const roll = this.random();
    const [candidate, genome] = [this.pick(this.candidates.filter(({ scored }) => scored))?.id ?? "", this.pick(this.genomes)?.id ?? ""];
    if (roll < 0.5) this.say("candidate.rejected", ["candidates", candidate, { status: "rejected" }], this.entered("candidates", candidate, "rejected"));
    else {
      const status = roll < 0.8 ? "spent" : "culled";
      this.say(`genome.${status}`, ["genomes", genome, { status }], this.entered("genomes", genome, status));
    }
  }

  private score(): void {
    const candidate = this.pick(this.candidates.filter((each) => !each.scored));
    if (candidate === undefined) return this.create();
    candidate.scored = true;
    const [one, two] = [Math.round(this.random() * 20) / 10, Math.round(this.random() * 20) / 10];
    const told = { candidate_id: candidate.id, total: one + two, components: { one, two }, descriptor: { size: one, age: two }, policy_version: "default-1", estimated: [], absent: [] };
    this.say(
      "fitness.scored",
      ["candidates", candidate.id, { status: "scored", fitness: one + two }],
      this.entered("candidates", candidate.id, "scored"),
      ["fitness_scores", `${candidate.id}:default-1`, told],
    );
  }

  private judge(): void {
    const candidate = this.pick(this.candidates);
    if (candidate === undefined) return this.create();
    const id = `verdict-${this.steps.length}`;
    const roll = this.random();
    const what = roll < 0.4 ? "verdict" : roll < 0.8 ? "adopted" : "revoked";
    const restores = what === "revoked" && this.random() < 0.5 ? (this.pick(this.candidates)?.id ?? null) : null;
    this.say(`gate.${what}`, ["verdicts", id, { what, candidate_id: candidate.id, niche: this.random() < 0.5 ? "a" : "b", restores }]);
  }

  private call(): void {
    const id = `call-${this.steps.length}`;
    const cost = Math.floor(this.random() * 900);
    const told = { role: "mutator", outcome: "valid", provider: "offline", model_id: "m", tokens_in: 10, tokens_out: 5, cost_microusd: cost };
    this.say("llm.telemetry", ["model_calls", id, told]);
  }
}

/** A run of about `count` events; with `ended`, its last event ends it. */
export function randomRun(seed: number, count: number, ended = false): Step[] {
  const random = randomness(seed);
  const story = new Story(random);
  story.begin();
  while (story.steps.length < count) story.next();
  if (ended) story.finish(random() < 0.5 ? "completed" : "stopped");
  return story.steps;
}

/** The rows that result from steps, as the server folds them. */
export function historyOf(steps: readonly Step[]): History {
  const rows = Object.fromEntries(TABLES.map((table) => [table, new Map<string, Row>()])) as Record<TableName, Map<string, Row>>;
  for (const step of steps) {
    for (const [table, key, values] of step.changes) {
      const row = rows[table].get(key) ?? { first: step.sequence, last: step.sequence, values: {} };
      rows[table].set(key, { first: row.first, last: step.sequence, values: { ...row.values, ...values } });
    }
  }
  const tables = Object.fromEntries(TABLES.map((table) => [table, columns(rows[table])]));
  return { run_id: RUN, sequence: steps.at(-1)?.sequence ?? -1, tables };
}

interface Row {
  readonly first: number;
  readonly last: number;
  readonly values: JsonObject;
}

function columns(rows: ReadonlyMap<string, Row>): Columns {
  const all = [...rows.values()];
  const names = new Set(all.flatMap((row) => Object.keys(row.values)));
  const values: Record<string, Json[]> = {};
  for (const name of names) values[name] = all.map((row) => row.values[name] ?? null);
  return { key: [...rows.keys()], first: all.map((row) => row.first), last: all.map((row) => row.last), values };
}
