/** What a domain adds to the page, by its name. Pages know no domain: they ask here, and have a plain view for the rest. */

import type { ComponentType } from "react";

import type { Detail } from "../candidate/wire";
import type { RunConfig } from "../wire/types";
import type { Field, FormValues } from "../runs/launch/fields";

export interface CandidateViewProps {
  readonly detail: Detail;
}

export interface LaunchFormProps {
  readonly fields: readonly Field[];
  readonly values: FormValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (values: FormValues) => void;
}

export interface DomainPage {
  readonly name: string;
  readonly title: string;
  /** Figures of a behaviour of which less is better; what is scored is always better when it is more. */
  readonly lessIsBetter?: readonly string[];
  /** A candidate's material; text with line numbers where a domain has no view of its own. */
  readonly CandidateView?: ComponentType<CandidateViewProps>;
  /** Inputs of a run; fields made from the schema where a domain has no form of its own. */
  readonly LaunchForm?: ComponentType<LaunchFormProps>;
  /** What tells a run's problem from others; its name does where a domain says nothing. */
  readonly problemOf?: (config: RunConfig) => unknown;
  /** Which of the inputs a refusal is about, by the refusal's code. */
  readonly fieldOfCode?: Readonly<Record<string, string>>;
}

const registered = new Map<string, DomainPage>();

/** A domain registers once; twice under one name is a mistake. */
export function registerDomain(page: DomainPage): void {
  if (registered.has(page.name)) throw new Error(`the domain ${page.name} is registered already`);
  registered.set(page.name, page);
}

/** What is known of a domain; of one that nobody registered, its name. */
export function domainPage(name: string | null | undefined): DomainPage {
  const known = registered.get(name ?? "");
  return known ?? { name: name ?? "", title: titled(name ?? "") };
}

function titled(name: string): string {
  return name === "" ? "Unknown" : name.charAt(0).toUpperCase() + name.slice(1);
}
