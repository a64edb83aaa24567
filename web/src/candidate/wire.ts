/** What the API tells of one candidate and of how a run ended, by the names that the page has for it. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

/** An interval with where the policy wants it to lie; null where it asks nothing of that side. */
export type GateInterval = Schemas["GateInterval"];
export type Reason = Schemas["Reason"];
export type Summary = Schemas["MetricSummary"];
export type Metric = Schemas["MetricComparison"];
/** A verdict, whole. */
export type Verdict = Schemas["Verdict"];
export type VerdictItem = Schemas["VerdictItem"];
export type EvidenceItem = Schemas["EvidenceItem"];
export type SourceFile = Schemas["SourceFile"];
export type Text = Schemas["SourceText"];
export type ModelCall = Schemas["ModelCall"];
/** A score; its explanation says how the total came about. */
export type Score = Schemas["FitnessScore"];
export type Explanation = Schemas["Explanation"];
/** How a genome came about; `distance` is 0 for the candidate's own. */
export type Descent = Schemas["Descent"];
export type Detail = Schemas["CandidateDetail"];
export type Proof = Schemas["FinalProof"];
export type Usage = Schemas["Usage"];
