/** What a domain adds to the page, by its name. Pages contain no domain code: they look it up here or use a default view. */

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

/** A page of a domain, at `/domains/NAME/…`. */
export interface DomainRoute {
  /** The path after `/domains/NAME/`, with `:names` as parameters; empty for the domain's first page. */
  readonly pattern: string;
  readonly title: string;
  /** Its label in the page's navigation; without it, the page is reached only by links. */
  readonly nav?: string;
  /** Preferably loaded on first use: `lazily(() => import("./MyPage"))`. */
  readonly Page: ComponentType<{ readonly params: Params }>;
}

export interface DomainPage {
  readonly name: string;
  readonly title: string;
  /** Behaviour figures for which lower is better. For scores, higher is always better. */
  readonly lessIsBetter?: readonly string[];
  /** Renders a candidate's material; the default is text with line numbers. */
  readonly CandidateView?: ComponentType<CandidateViewProps>;
  /** Renders the inputs of a run; the default is fields made from the schema. */
  readonly LaunchForm?: ComponentType<LaunchFormProps>;
  /** A value that identifies a run's problem; the default is the problem's name. */
  readonly problemOf?: (config: RunConfig) => unknown;
  /** The input that an error is about, by error code. */
  readonly fieldOfCode?: Readonly<Record<string, string>>;
  /** Its own pages. Panels on the pages of runs and proofs are declared on the server instead. */
  readonly routes?: readonly DomainRoute[];
}

const registered = new Map<string, DomainPage>();

/** Register a domain; registering a name twice is an error. */
export function registerDomain(page: DomainPage): void {
  if (registered.has(page.name)) throw new Error(`the domain ${page.name} is already registered`);
  registered.set(page.name, page);
}

/** Every page of every domain, with its full path. */
export function domainRoutes(): (DomainRoute & { readonly path: string })[] {
  return [...registered.values()].flatMap(({ name, routes = [] }) =>
    routes.map((route) => ({ ...route, path: `/domains/${name}${route.pattern === "" ? "" : `/${route.pattern}`}` })),
  );
}

/** What the domains add to the navigation. */
export function domainNav(): { readonly to: string; readonly label: string }[] {
  return domainRoutes().flatMap(({ path, nav }) => (nav === undefined ? [] : [{ to: path, label: nav }]));
}

/** The registered additions of a domain; for an unregistered one, only its name and title. */
export function domainPage(name: string | null | undefined): DomainPage {
  const known = registered.get(name ?? "");
  return known ?? { name: name ?? "", title: titled(name ?? "") };
}

function titled(name: string): string {
  return name === "" ? "Unknown" : name.charAt(0).toUpperCase() + name.slice(1);
}
