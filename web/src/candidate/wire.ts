/** What the API tells of one candidate and of how a run ended, as far as the page reads it. */

import type { CandidateDetail, Decision, Evidence, Fitness, Interval, Json, JsonObject, Parent, RunStatus, SourceText, Usage } from "../wire/types";

/** An interval with where the policy wants it to lie; null where it asks nothing of that side. */
export interface GateInterval extends Interval {
  readonly must_exceed?: number | null;
  readonly must_stay_below?: number | null;
}

export interface Reason {
  readonly code: string;
  readonly message: string;
}

export interface Summary {
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  readonly stdev: number;
}

export interface Metric {
  readonly kind: string;
  readonly higher_is_better: boolean;
  readonly n: number;
  readonly baseline: Summary;
  readonly candidate: Summary;
  readonly delta: Interval;
}

/** A verdict, whole. */
export interface Verdict {
  readonly policy: string;
  readonly reasons: readonly Reason[];
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly summaries?: JsonObject;
  readonly warnings?: readonly Reason[];
  readonly provenance?: JsonObject;
}

export interface VerdictItem {
  readonly what: "verdict" | "adopted" | "confirmed" | "revoked";
  readonly sequence: number;
  readonly decision: Decision | null;
  readonly mode: string | null;
  readonly n: number | null;
  readonly alpha: number | null;
  readonly k?: number | null;
  readonly niche: string | null;
  readonly policy?: string | null;
  readonly intervals: readonly GateInterval[] | null;
  readonly reason: string | null;
  readonly verdict?: Verdict | null;
}

export interface EvidenceItem extends Omit<Evidence, "outcome" | "error"> {
  readonly outcome: "in_flight" | "completed" | "degraded" | "failed" | null;
  readonly error: Reason | string | null;
  readonly attempt?: number;
  readonly isolation?: string | null;
  readonly started?: number | null;
  readonly ended?: number | null;
}

export interface SourceFile {
  readonly path: string;
  readonly source: string;
}

export interface Text extends SourceText {
  readonly files?: readonly SourceFile[];
}

export interface ModelCall {
  readonly sequence: number;
  readonly role: string;
  readonly outcome: string;
  readonly provider: string | null;
  readonly model_id: string | null;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_microusd: number | null;
  readonly latency_ms: number | null;
  readonly trace_id: string | null;
}

/** A score; its explanation says how the total came about. */
export interface Score extends Fitness {
  readonly explanation?: string;
}

export interface Detail extends Omit<CandidateDetail, "text" | "parents" | "fitness" | "evidence" | "verdicts"> {
  readonly text: Text | null;
  readonly content?: JsonObject;
  readonly parents: readonly Parent[];
  readonly fitness: Score | null;
  readonly evidence: readonly EvidenceItem[];
  readonly verdicts: readonly VerdictItem[];
  readonly model_calls?: readonly ModelCall[];
}

export interface Proof {
  readonly run_id: string;
  readonly sequence: number;
  readonly status: RunStatus | null;
  readonly over: boolean;
  readonly reason: string | null;
  readonly said: string;
  readonly state: "confirmed" | "adopted" | "nothing" | "open";
  readonly winner: Detail | null;
  readonly best: Detail | null;
  readonly founder: Detail | null;
  readonly patch: string | null;
  readonly verdict: VerdictItem | null;
  readonly audit: EvidenceItem | null;
  readonly revoked: readonly VerdictItem[];
  readonly budget: { readonly alpha: number | null; readonly spent: number; readonly challenges: number };
  readonly caps: readonly { readonly cap: string; readonly limit: number; readonly used: number }[];
  readonly digest: string | null;
  readonly replay: {
    readonly events: number;
    readonly head_hash: string | null;
    readonly state_digest: string | null;
    readonly outcome_digest: string | null;
    readonly command: string;
  };
  readonly figures: Readonly<Record<string, Json>>;
}

export type { Usage };
