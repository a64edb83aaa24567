/** The challenges of a run, in order, each with its share of the niche's error budget. */

import type { VerdictAt } from "../../history";
import type { RunConfig } from "../../wire/types";
import { shareOf, spentBy } from "./errorBudget";

export interface ChallengeRow {
  readonly k: number;
  readonly spent: number;
  readonly verdict: VerdictAt;
  /** The state of an adoption: adopted, confirmed or revoked. */
  readonly then: "adopted" | "confirmed" | "revoked" | null;
}

/** Every verdict of the gate so far; earlier runs' challenges in the niche count in k, but are not listed. */
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

export interface NicheBudget {
  /** Null for the run's first niche. */
  readonly niche: string | null;
  readonly earlier: number;
  readonly spent: number;
}

/** The spent error budget of each niche of a run, by earlier runs and by this one. */
export function budgetsOf(challenges: readonly ChallengeRow[], alpha: number, config: RunConfig | null): NicheBudget[] {
  const before = typeof config?.challenges_before === "number" ? config.challenges_before : 0;
  const others = new Map((config?.niches ?? []).map(({ niche, challenges: made }) => [niche, made ?? 0]));
  const within = (niche: string | null) => challenges.filter(({ verdict }) => (others.has(verdict.niche ?? "") ? verdict.niche : null) === niche);
  return [[null, before] as const, ...others].map(([niche, made]) => ({ niche, earlier: spentBy(alpha, made), spent: errorSpent(within(niche)) }));
}

export function errorSpent(challenges: readonly ChallengeRow[]): number {
  return challenges.reduce((sum, { spent }) => sum + spent, 0);
}
