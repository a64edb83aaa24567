/** Filter and order of the list of runs. They are kept in the URL, so that a link shows the same list. */

import type { QueryChange } from "../shell/router";

export const SORTS = {
  newest: "newest first",
  oldest: "oldest first",
  best: "best first",
  cost: "highest cost first",
  events: "most events first",
} as const;
export type Sort = keyof typeof SORTS;

export const STATUSES: readonly string[] = [
  "running",
  "completing",
  "completed",
  "stopping",
  "stopped",
  "failed",
  "cancelled",
  "configured",
];

export const PAGE_SIZE = 50;

export interface RunFilter {
  readonly status: string;
  readonly domain: string;
  readonly q: string;
  readonly sort: Sort;
  /** The cursors of the previous pages and of this one, in order. */
  readonly trail: readonly string[];
}

export function isSort(text: string): text is Sort {
  return Object.hasOwn(SORTS, text);
}

const split = (text: string | null): string[] => (text ?? "").split(",").filter((piece) => piece !== "");

export function filterOf(params: URLSearchParams): RunFilter {
  const sort = params.get("sort") ?? "";
  const status = params.get("status") ?? "";
  return {
    status: STATUSES.includes(status) ? status : "",
    domain: params.get("domain") ?? "",
    q: params.get("q") ?? "",
    sort: isSort(sort) ? sort : "newest",
    trail: split(params.get("after")),
  };
}

/** The query parameters of the API. */
export function askedOf(filter: RunFilter): Record<string, string | number> {
  const { status, domain, q, sort, trail } = filter;
  return { status, domain, q, sort, limit: PAGE_SIZE, cursor: trail.at(-1) ?? "" };
}

/** A change of the filter; it returns to the first page. */
export function changed(change: Partial<Omit<RunFilter, "trail">>): QueryChange {
  const { sort, ...rest } = change;
  return { ...rest, ...(sort === undefined ? {} : { sort: sort === "newest" ? null : sort }), after: null };
}

export function nextPage(filter: RunFilter, cursor: string): QueryChange {
  return { after: [...filter.trail, cursor].join(",") };
}

export function previousPage(filter: RunFilter): QueryChange {
  return { after: filter.trail.slice(0, -1).join(",") };
}

export function isFiltered(filter: RunFilter): boolean {
  return filter.status !== "" || filter.domain !== "" || filter.q.trim() !== "";
}

/** The runs chosen for comparison, from a URL parameter. */
export const chosenOf = (text: string | null): string[] => [...new Set(split(text))];

/** The chosen runs with one of them added or removed. */
export function toggled(chosen: readonly string[], runId: string): string[] {
  return chosen.includes(runId) ? chosen.filter((each) => each !== runId) : [...chosen, runId];
}

export const MOST_COMPARED = 8;

/** The path of the page that compares the chosen runs. */
export function comparePath(chosen: readonly string[]): string {
  return `/compare?runs=${chosen.map(encodeURIComponent).join(",")}`;
}
