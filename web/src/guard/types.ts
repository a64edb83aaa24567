/** API types of the gate's decisions. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

/** An interval with the range that the policy requires; null if there is no requirement on that side. */
export type GateInterval = Schemas["GateInterval"];

/** The required range of an interval; a null end is unbounded. `closed`: equality with an end is enough. */
export interface Band {
  low: number | null;
  high: number | null;
  closed: boolean;
}

/** A decision, made for `mendel guard evaluate` (`report`) or in a run (`run`). */
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
