/**
 * API types under the names that the page uses; `schema.ts` is generated from the server's OpenAPI description.
 * Ids are UUID strings, times are ISO 8601 in UTC, money is in millionths of a dollar.
 */

import type { JsonObject } from "./json";
import type { components } from "./schema";

export type { Json, JsonObject } from "./json";

type Schemas = components["schemas"];

export type RunStatus = Schemas["RunStatus"];
export type CandidateStatus = Schemas["CandidateStatus"];
export type Decision = Schemas["Decision"];
export type Conducted = Schemas["RunSummary"]["conducted"];
export type CommandKind = Schemas["Commanded"]["kind"];

// The API's schema leaves rows open; projections/tables.py defines their columns, and these types name the values.
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
export type GenomeStatus = "seeded" | "active" | "spent" | "eligible_parent" | "reproduced" | "culled" | "failed";

export const TERMINAL: ReadonlySet<string> = new Set<RunStatus>(["completed", "stopped", "failed", "cancelled"]);

/** The caps of a run; null if a cap is not set. */
export type Caps = Readonly<Record<string, number | null>>;

export type RunSummary = Schemas["RunSummary"];
export type RunList = Schemas["RunPage"];
export type RunDetail = Schemas["RunDetail"];
/** The run's configuration as recorded. */
export type RunConfig = Schemas["RunConfig"];
/** An axis of the archive's grid. */
export type DescriptorAxis = Schemas["Descriptor"];

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
  "proposals",
] as const;
export type TableName = (typeof TABLES)[number];

/** Rows of a table, stored by column; all columns have the same length. */
export type Columns = Schemas["Columns"];

export interface History extends Omit<Schemas["History"], "tables"> {
  /** More precise than the schema, which leaves the names open. */
  readonly tables: Readonly<Partial<Record<TableName, Columns>>>;
}

/** The changes of one event, as pushed by the stream, which the OpenAPI schema does not cover. */
export interface Step {
  readonly sequence: number;
  readonly at: string;
  readonly type: string;
  readonly changes: readonly Change[];
}
export type Change = readonly [table: TableName, key: string, values: JsonObject];

export type EventPage = Schemas["EventPage"];
export type Event = EventPage["events"][number];

export type Interval = Schemas["Interval"];
/** An interval with the range that the policy requires: null if a side has no requirement, absent if unknown. */
export type JudgedInterval = Interval & Partial<Pick<Schemas["GateInterval"], "must_exceed" | "must_stay_below">>;
export type Usage = Partial<Schemas["Usage"]>;
export type Evidence = Schemas["EvidenceItem"];
export type VerdictRow = Schemas["VerdictItem"];
export type Parent = Schemas["ParentDetail"];
export type SourceText = Schemas["SourceText"];
export type Fitness = Schemas["FitnessScore"];
export type CandidateDetail = Schemas["CandidateDetail"];
export type CandidateList = Schemas["CandidatePage"];
export type FinalProof = Schemas["FinalProof"];
export type Health = Schemas["Health"];
export type OpenedFile = Schemas["FileOpened"];
export type RunRequest = Schemas["RunRequest"];
export type Launched = Schemas["Launched"];
export type Resumed = Schemas["Resumed"];
export type Estimate = Schemas["Estimate"];
export type CommandTaken = Schemas["Commanded"];
export type CapsConfig = Schemas["CapsView"];
export type DomainInfo = Schemas["DomainView"];
