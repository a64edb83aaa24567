/** What a domain adds to the page, by its name. Pages know no domain: they ask here, and have a plain view for the rest. */

import type { ComponentType } from "react";

import type { Detail } from "../candidate/wire";
import type { RunConfig } from "../wire/types";
import type { Field, FormValues } from "../runs/launch/fields";
import type { Params } from "../shell/router";

export interface CandidateViewProps {
  readonly detail: Detail;
}

export interface LaunchFormProps {
  readonly fields: readonly Field[];
  readonly values: FormValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (values: FormValues) => void;
}

/** A page of a domain's own, at `/domains/NAME/…`. */
export interface DomainRoute {
  /** Behind `/domains/NAME/`, with `:names`; empty for the domain's first page. */
  readonly pattern: string;
  readonly title: string;
  /** Its entry in the navigation of the page; without it, it is reached by links. */
  readonly nav?: string;
  /** Best loaded when it is first shown: `lazily(() => import("./MyPage"))`. */
  readonly Page: ComponentType<{ readonly params: Params }>;
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
  /** Pages of its own; panels on the pages of runs and proofs are declared on the server. */
  readonly routes?: readonly DomainRoute[];
}

const registered = new Map<string, DomainPage>();

/** A domain registers once; twice under one name is a mistake. */
export function registerDomain(page: DomainPage): void {
  if (registered.has(page.name)) throw new Error(`the domain ${page.name} is registered already`);
  registered.set(page.name, page);
}

/** Every page of a domain, with the path at which it stands. */
export function domainRoutes(): (DomainRoute & { readonly path: string })[] {
  return [...registered.values()].flatMap(({ name, routes = [] }) =>
    routes.map((route) => ({ ...route, path: `/domains/${name}${route.pattern === "" ? "" : `/${route.pattern}`}` })),
  );
}

/** What the domains add to the navigation. */
export function domainNav(): { readonly to: string; readonly label: string }[] {
  return domainRoutes().flatMap(({ path, nav }) => (nav === undefined ? [] : [{ to: path, label: nav }]));
}

/** What is known of a domain; of one that nobody registered, its name. */
export function domainPage(name: string | null | undefined): DomainPage {
  const known = registered.get(name ?? "");
  return known ?? { name: name ?? "", title: titled(name ?? "") };
}

function titled(name: string): string {
  return name === "" ? "Unknown" : name.charAt(0).toUpperCase() + name.slice(1);
}
