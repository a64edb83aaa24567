/** What goes over the wire, as the page reads it. Ids are UUID texts, times ISO 8601 in UTC, money millionths of a dollar. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export type RunStatus =
  | "configured"
  | "running"
  | "completing"
  | "completed"
  | "stopping"
  | "stopped"
  | "failed"
  | "cancelled";
export type GenerationStatus =
  | "pending"
  | "running"
  | "degraded"
  | "verifying"
  | "scoring"
  | "reproducing"
  | "completed"
  | "failed"
  | "skipped";
export type GenomeStatus =
  | "seeded"
  | "active"
  | "spent"
  | "eligible_parent"
  | "reproduced"
  | "culled"
  | "failed";
export type CandidateStatus =
  | "created"
  | "repairing"
  | "under_review"
  | "checked"
  | "scored"
  | "selected"
  | "rejected"
  | "culled"
  | "invalid";
export type OperationOutcome = "completed" | "degraded" | "failed";
export type Decision = "adopt" | "reject" | "undecided";
export type Conducted = "here" | "elsewhere" | "nobody";

export const TERMINAL: ReadonlySet<string> = new Set<RunStatus>(["completed", "stopped", "failed", "cancelled"]);

/** How far a run may go; a cap that is null is not set. */
export type Caps = Readonly<Record<string, number | null>>;

export interface RunSummary {
  run_id: string;
  sequence: number;
  status: RunStatus | null;
  domain: string | null;
  problem: string | null;
  rng_seed: number | null;
  model_profile: string | null;
  generation: number | null;
  candidates: number;
  scored: number;
  events: number;
  best_fitness: number | null;
  best_candidate_id: string | null;
  champion_id: string | null;
  final_candidate_id: string | null;
  energy_spent: number;
  caps: Caps | null;
  tokens: number;
  cost_microusd: number;
  model_calls: number;
  started_at: string | null;
  last_event_at: string | null;
  ended: number | null;
  reason: string | null;
  conducted: Conducted;
  damage?: string | null;
  /** How the best came about: pairs of (scored so far, fitness). */
  spark: [number, number][];
}

export interface RunList {
  runs: RunSummary[];
  next: string | null;
  total: number;
}

/** Where a descriptor lies in the archive's grid. */
export interface DescriptorAxis {
  name: string;
  low: number;
  high: number;
  bins: number;
}

/** The run's configuration as recorded; only what the page reads is named. */
export interface RunConfig {
  domain: string;
  problem?: string | null;
  rng_seed: number;
  caps: Caps;
  pace?: string;
  selector?: Json;
  archive?: { kind?: string; descriptors: DescriptorAxis[] } | null;
  [more: string]: unknown;
}

export interface RunDetail extends RunSummary {
  config: RunConfig | null;
}

export const TABLES = [
  "runs",
  "generations",
  "genomes",
  "candidates",
  "critic_reviews",
  "check_results",
  "fitness_scores",
  "novelty_scores",
  "lineage_edges",
  "embeddings",
  "operations",
  "transitions",
  "verdicts",
  "model_calls",
] as const;
export type TableName = (typeof TABLES)[number];

/** Rows of a table, column by column; all columns are of equal length. */
export interface Columns {
  key: string[];
  first: number[];
  last: number[];
  values: Record<string, Json[]>;
}

export interface History {
  run_id: string;
  sequence: number;
  tables: Partial<Record<TableName, Columns>>;
}

export type Change = [table: TableName, key: string, values: JsonObject];

/** What one event changed. */
export interface Step {
  sequence: number;
  at: string;
  type: string;
  changes: Change[];
}

export interface Event {
  id: string;
  run_id: string;
  sequence: number;
  type: string;
  occurred_at: string;
  payload: JsonObject;
  generation_id: string | null;
  genome_id: string | null;
  candidate_id: string | null;
  operation_id: string | null;
  trace_id?: string | null;
  [more: string]: unknown;
}

export interface EventPage {
  run_id: string;
  events: Event[];
  next: number | null;
}

export interface Interval {
  name: string;
  estimate: number;
  lower: number | null;
  upper: number | null;
  alpha: number;
  method: string;
}

export type Usage = Partial<
  Record<
    | "tokens_in"
    | "tokens_out"
    | "tool_calls"
    | "spawns"
    | "cpu_ms"
    | "opcodes"
    | "wall_ms"
    | "peak_memory_bytes"
    | "cost_microusd",
    number
  >
>;

export interface Evidence {
  operation_id: string;
  step: string;
  name: string;
  outcome: OperationOutcome | null;
  energy: number | null;
  usage: Usage | null;
  findings: Json;
  error: string | null;
  trace_id: string | null;
  event_id: string | null;
}

export interface VerdictRow {
  what: "verdict" | "adopted" | "confirmed" | "revoked";
  decision: Decision | null;
  mode: "exact" | "statistical" | "absolute" | null;
  n: number | null;
  alpha: number | null;
  intervals: Interval[] | null;
  niche: string | null;
  reason: string | null;
  sequence: number;
}

export interface Parent {
  candidate_id: string | null;
  genome_id: string;
  operator: string | null;
  text: SourceText | null;
  diff: string | null;
}

export interface SourceText {
  language: string;
  source: string;
}

export interface Fitness {
  total: number;
  components: Record<string, number>;
  policy_version: string;
  estimated: string[];
  absent: string[];
  descriptor: Record<string, number>;
}

export interface CandidateDetail {
  candidate_id: string;
  genome_id: string;
  birth: number;
  status: CandidateStatus;
  summary: string;
  reason: string | null;
  text: SourceText | null;
  parents: Parent[];
  fitness: Fitness | null;
  evidence: Evidence[];
  verdicts: VerdictRow[];
  energy: number;
  explanation: JsonObject | null;
}

export interface CandidateList {
  candidates: JsonObject[];
  next: string | null;
}

export interface FinalProof {
  status: RunStatus;
  reason: string | null;
  winner: CandidateDetail | null;
  founder: JsonObject | null;
  verdict: VerdictRow | null;
  audit: JsonObject | null;
  digest: string;
  sequence: number;
  said: string;
}

export interface Health {
  conducted: Conducted;
  stalled: boolean;
  [more: string]: unknown;
}

export interface OpenedFile {
  file_id: string;
  run_id: string;
  warnings: string[];
}

export interface RunRequest {
  domain: string;
  problem?: string;
  rng_seed?: number;
  caps?: Record<string, number>;
  pace?: string;
  selector?: string;
  model_profile?: string;
  slots?: number;
  config?: JsonObject;
  inputs?: JsonObject;
}

export interface Estimate {
  energy: number;
  tokens: number;
  cost_microusd: number;
  model_calls: number;
  wall_clock_ms: number;
  notes: string[];
}

export type CommandKind = "stop" | "kill" | "cancel";

export interface CommandTaken {
  run_id: string;
  command_id: string;
  kind: CommandKind;
  already: boolean;
}

export interface CapsConfig {
  defaults: Caps;
  ceilings: Caps;
}

export interface DomainInfo {
  name: string;
  title: string;
  what: string;
  launchable: boolean;
  form: { schema: JsonObject; examples: { title: string; inputs: JsonObject }[] };
}
