/** One line of text per activity. */

import type { Activity, Operation, VerdictAt } from "../../history";
import { duration, money } from "../../parts/formatted";
import { fitness, nick, whole } from "./amounts";

export const FEED_KINDS = ["started", "ended", "birth", "score", "dropped", "verdict", "adoption", "call", "failure", "run"] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export interface FeedLine {
  readonly key: string;
  readonly sequence: number;
  readonly kind: FeedKind;
  readonly text: string;
  /** The genome or candidate that it is about. */
  readonly subject: string | null;
}

export const FEED_LABELS: Readonly<Record<FeedKind, { readonly mark: string; readonly label: string }>> = {
  started: { mark: "▷", label: "Started" },
  ended: { mark: "□", label: "Finished" },
  birth: { mark: "✦", label: "Births" },
  score: { mark: "◆", label: "Scores" },
  dropped: { mark: "✕", label: "Rejected or culled" },
  verdict: { mark: "⚖", label: "Verdicts" },
  adoption: { mark: "★", label: "Adoptions" },
  call: { mark: "☎", label: "Model calls" },
  failure: { mark: "▲", label: "Failures" },
  run: { mark: "■", label: "Run and generations" },
};

/** The line of an activity; null if another line covers it. */
export function feedLine(activity: Activity, fitnessOf: (candidateId: string) => number | null): FeedLine | null {
  const { key, sequence } = activity;
  const line = (kind: FeedKind, text: string, subject: string | null) => ({ key, sequence, kind, text, subject });
  switch (activity.kind) {
    case "started":
      return line("started", started(activity.operation), activity.operation.subjects[0] ?? null);
    case "ended": {
      const failed = activity.operation.outcome === "failed";
      return line(failed ? "failure" : "ended", ended(activity.operation), activity.operation.subjects[0] ?? null);
    }
    case "verdict":
      return line(activity.verdict.what === "verdict" ? "verdict" : "adoption", said(activity.verdict), activity.verdict.candidateId);
    case "call": {
      const { role, outcome, model, tokensIn, tokensOut, costMicrousd } = activity.call;
      const text = `${role} called ${model ?? "a model"}: ${outcome}, ${whole(tokensIn + tokensOut)} tokens, ${money(costMicrousd)}`;
      return line("call", text, null);
    }
    case "transition":
      return entered(activity, fitnessOf);
  }
}

function started({ step, operator, attempt }: Operation): string {
  return `${step}${operator === null ? "" : ` by ${operator}`}${attempt > 1 ? `, attempt ${attempt}` : ""}`;
}

function ended({ step, operator, outcome, usage, energy, error, message }: Operation): string {
  const by = operator === null ? "" : ` by ${operator}`;
  if (outcome === "failed") return `${step}${by} failed: ${message ?? error ?? "no reason given"}`;
  const took = usage.wall_ms === undefined ? "" : ` in ${duration(usage.wall_ms)}`;
  const spent = energy === null || energy === 0 ? "" : `, ${whole(energy)} energy`;
  return `${step}${by}${outcome === "degraded" ? " degraded" : ""}${took}${spent}`;
}

function said({ what, decision, mode, n, reason }: VerdictAt): string {
  if (what === "verdict") return `verdict of the gate: ${decision ?? "none"} (${mode ?? "?"}, n = ${n ?? "?"})`;
  if (what === "adopted") return "adopted as champion";
  return what === "confirmed" ? "adoption confirmed" : `adoption revoked: ${reason ?? "no reason given"}`;
}

const DROPPED = new Set(["rejected", "invalid", "culled"]);

function entered(
  { key, sequence, transition }: Extract<Activity, { kind: "transition" }>,
  fitnessOf: (candidateId: string) => number | null,
): FeedLine | null {
  const { table, subject, status } = transition;
  const line = (kind: FeedKind, text: string, about: string | null = subject) => ({ key, sequence, kind, text, subject: about });
  if (table === "runs") return line(status === "failed" ? "failure" : "run", `the run is ${status}`, null);
  if (table === "generations") return line(status === "failed" ? "failure" : "run", `generation ${nick(subject).slice(1)} is ${status}`, null);
  if (table === "genomes") return status === "seeded" ? line("birth", "genome born") : null;
  if (status === "created") return line("birth", "candidate expressed");
  if (status === "scored") return line("score", `scored ${fitness(fitnessOf(subject))}`);
  return DROPPED.has(status) ? line("dropped", status) : null;
}
