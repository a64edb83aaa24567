/** Decisions of the gate as the API tells them. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

/** An interval, and where the policy wants it; a side that is null is not asked for. */
export type GateInterval = Schemas["GateInterval"];

/** Where an interval has to lie; an end that is null is no demand. `closed`: to lie on the end is enough. */
export interface Band {
  low: number | null;
  high: number | null;
  closed: boolean;
}

/** A decision, asked for by hand (`report`) or by a run. */
export type GuardRow = Schemas["GuardRow"];
export type GuardList = Schemas["GuardPage"];
export type Reason = Schemas["Reason"];
export type Violation = Schemas["Violation"];
export type MetricSummary = Schemas["MetricSummary"];
export type MetricComparison = Schemas["MetricComparison"];
export type RelationComparison = Schemas["RelationComparison"];
export type Look = Schemas["Look"];
export type Provenance = Schemas["Provenance"];
export type Verdict = Schemas["Verdict"];
/** One of the programs that were compared. */
export type Side = Schemas["Side"];
export type GuardReport = Schemas["GuardReport"];
