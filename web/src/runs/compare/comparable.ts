/** Whether runs are comparable: only then can one of them be marked as best. */

import { domainPage } from "../../domains";
import type { RunConfig } from "../../wire/types";

interface Configured {
  readonly domain: string | null;
  readonly problem: string | null;
  readonly config: RunConfig | null;
}

type Trait = (run: Configured) => unknown;

/** The traits that must be equal, by name. */
const TRAITS: Readonly<Record<string, Trait>> = {
  domain: ({ domain }) => domain,
  objectives: ({ config }) => config?.scoring_policy?.weights,
  "scoring policy": ({ config }) => [config?.scoring_policy?.version, config?.scoring_policy?.normalization],
};

/** The names of the traits in which the runs differ; empty if they are comparable. */
export function differingTraits(runs: readonly Configured[]): string[] {
  const found = Object.entries(TRAITS).flatMap(([name, trait]) => (areSame(runs, trait) ? [] : [name]));
  return haveSameProblem(runs) ? found : [...found, "problem"];
}

/** Runs with the same task have the same problem, whatever their names; a domain may define its task by `problemOf`. */
function haveSameProblem(runs: readonly Configured[]): boolean {
  const told = runs.map(({ domain, config }) => (config === null ? undefined : domainPage(domain).problemOf?.(config)));
  if (told.every((problem) => problem !== undefined)) return areSame(told, (problem) => problem);
  return areSame(runs, ({ problem }) => problem) || areSame(runs, ({ config }) => config?.domain_config);
}

function areSame<T>(each: readonly T[], trait: (one: T) => unknown): boolean {
  return new Set(each.map((one) => JSON.stringify(trait(one) ?? null))).size <= 1;
}
