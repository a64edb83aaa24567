/** Domains installed on the server: the names of their steps, and the panels that they declare. */

import { api } from "../wire/api";
import type { DomainInfo } from "../wire/types";
import { useLoaded } from "../wire/useLoaded";

export type StepWords = DomainInfo["steps"][number];

/** The installed domain of that name; null while it loads and if it is not installed: its runs are shown without it. */
export function useInstalled(name: string | null): DomainInfo | null {
  const { data } = useLoaded(name === null ? null : "domains", (signal) => api.domains({ signal }));
  return (Array.isArray(data) ? data.find((domain) => domain.name === name) : null) ?? null;
}

/** The words for a step; null if its domain declares none. */
export function wordsFor(domain: DomainInfo | null | undefined, step: string): StepWords | null {
  return domain?.steps.find((words) => words.step === step) ?? null;
}
