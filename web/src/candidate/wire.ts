/** API types of a candidate and of the final proof, under the names that the page uses. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

/** An interval with the range that the policy requires; null if there is no requirement on that side. */
export type GateInterval = Schemas["GateInterval"];
export type Reason = Schemas["Reason"];
export type Summary = Schemas["MetricSummary"];
export type Metric = Schemas["MetricComparison"];
/** A complete verdict. */
export type Verdict = Schemas["Verdict"];
export type VerdictItem = Schemas["VerdictItem"];
export type EvidenceItem = Schemas["EvidenceItem"];
export type SourceFile = Schemas["SourceFile"];
export type Text = Schemas["SourceText"];
export type ModelCall = Schemas["ModelCall"];
/** A score; its explanation describes how the total was computed. */
export type Score = Schemas["FitnessScore"];
export type Explanation = Schemas["Explanation"];
/** The origin of a genome; `distance` is 0 for the candidate's own genome. */
export type Descent = Schemas["Descent"];
export type Detail = Schemas["CandidateDetail"];
export type Proof = Schemas["FinalProof"];
export type Usage = Schemas["Usage"];
