/** What the server tells of a domain that is installed there: what its steps are called, and the panels that it declares. */

import { api } from "../wire/api";
import type { DomainInfo } from "../wire/types";
import { useLoaded } from "../wire/useLoaded";

export type StepWords = DomainInfo["steps"][number];

/** The domain of that name; null while it is loaded, and where nobody has it: its runs are shown without. */
export function useInstalled(name: string | null): DomainInfo | null {
  const { data } = useLoaded(name === null ? null : "domains", (signal) => api.domains({ signal }));
  return (Array.isArray(data) ? data.find((domain) => domain.name === name) : null) ?? null;
}

/** What a step is called, where its domain says so. */
export function wordsFor(domain: DomainInfo | null | undefined, step: string): StepWords | null {
  return domain?.steps.find((words) => words.step === step) ?? null;
}
