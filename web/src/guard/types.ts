/** Decisions of the gate as the API tells them. */

import type { Decision, Interval, JsonObject } from "../wire/types";

/** An interval, and where the policy wants it; a side that is null is not asked for. */
export interface GateInterval extends Interval {
  must_exceed: number | null;
  must_stay_below: number | null;
}

/** Where an interval has to lie; an end that is null is no demand. `closed`: to lie on the end is enough. */
export interface Band {
  low: number | null;
  high: number | null;
  closed: boolean;
}

/** A decision, asked for by hand (`report`) or by a run. */
export interface GuardRow {
  id: string;
  source: "report" | "run";
  /** The task of a report; the problem of a run. */
  what: string;
  decision: Decision;
  mode: string;
  n: number;
  reason: string | null;
  at: string | null;
  run_id: string | null;
  candidate_id: string | null;
  sequence: number | null;
  intervals: GateInterval[];
}

export interface GuardList {
  reports: GuardRow[];
  next: string | null;
  total: number;
  decisions: Partial<Record<Decision, number>>;
}

export interface Reason {
  code: string;
  message: string;
}

export interface Violation {
  kind: "mismatch" | "property" | "relation" | "failure";
  name: string;
  side: "candidate" | "baseline";
  case: number;
  detail: string;
  input: string;
  expected: string;
  got: string;
  shrunk: boolean;
}

export interface MetricSummary {
  n: number;
  mean: number;
  median: number;
  stdev: number;
  min: number;
  max: number;
}

export interface MetricComparison {
  kind: string;
  higher_is_better: boolean;
  n: number;
  baseline: MetricSummary;
  candidate: MetricSummary;
  delta: Interval;
  effect_size: number | null;
  p_better: number | null;
  p_worse: number | null;
}

export interface RelationComparison {
  category: string | null;
  n: number;
  baseline_violations: number;
  candidate_violations: number;
  p_worse: number;
}

export interface Look {
  n: number;
  interval: Interval;
  decision: Decision;
}

export interface Provenance {
  sandbox: {
    tier: string;
    weakened: boolean;
    fingerprint: string | null;
    backend: string;
    layers: string[];
    missing: Record<string, string>;
  };
  spec_hash: string;
  candidate_hash: string;
  baseline_hash: string | null;
  seeds: Record<string, number>;
  versions: Record<string, string>;
  platform: string;
}

export interface Verdict {
  candidate_id: string;
  decision: Decision;
  mode: "exact" | "statistical" | "absolute";
  policy: string;
  challenge: { niche: string; k: number; alpha: number };
  n: number;
  n_to_decide: number | null;
  reasons: Reason[];
  summaries: JsonObject;
  violations: Violation[];
  metrics: Record<string, MetricComparison>;
  relations: Record<string, RelationComparison>;
  looks: Look[];
  warnings: Reason[];
  flaky: boolean;
  provenance: Provenance;
}

/** One of the programs that were compared. */
export interface Side {
  origin: string;
  entry: string;
  files: Record<string, string>;
  hash: string;
}

export interface GuardReport extends GuardRow {
  verdict: Verdict;
  policy: string;
  alpha: number;
  k: number;
  /** The policy in words. */
  demands: string[];
  config: JsonObject;
  candidate: Side | null;
  baseline: Side | null;
}
