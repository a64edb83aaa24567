/** The challenges of a run, in order, with what each spent of its niche's error budget. */

import type { VerdictAt } from "../../history";
import { shareOf } from "./errorBudget";

export interface ChallengeRow {
  readonly k: number;
  readonly spent: number;
  readonly verdict: VerdictAt;
  /** What became of an adoption: it stands, it was confirmed, or it was taken back. */
  readonly then: "adopted" | "confirmed" | "revoked" | null;
}

/** Every verdict of the gate so far; challenges of earlier runs in the niche count, but are not shown. */
export function challengesOf(verdicts: readonly VerdictAt[], alpha: number, before: number): ChallengeRow[] {
  const later = outcomes(verdicts);
  return verdicts
    .filter(({ what }) => what === "verdict")
    .map((verdict, index) => {
      const k = verdict.k ?? before + index + 1;
      const then = verdict.decision === "adopt" ? (later.get(verdict.candidateId) ?? null) : null;
      return { k, spent: verdict.alpha ?? shareOf(alpha, k), verdict, then };
    });
}

function outcomes(verdicts: readonly VerdictAt[]): Map<string, ChallengeRow["then"]> {
  const latest = new Map<string, ChallengeRow["then"]>();
  for (const { what, candidateId } of verdicts) if (what !== "verdict") latest.set(candidateId, what);
  return latest;
}

export function errorSpent(challenges: readonly ChallengeRow[]): number {
  return challenges.reduce((sum, { spent }) => sum + spent, 0);
}
