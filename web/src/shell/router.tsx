/** A small router over the History API: patterns with `:names`, links, and filters in the URL. */

import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { AnchorHTMLAttributes, MouseEvent } from "react";

export type Params = Readonly<Record<string, string>>;

const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

/** Go to a path of the page; `replace` adds no entry to the browser's history. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace) window.history.replaceState(null, "", to);
  else window.history.pushState(null, "", to);
  announce(); // the History API fires no event for its own changes
}

export function usePath(): string {
  return useSyncExternalStore(listen, () => window.location.pathname);
}

function useSearch(): string {
  return useSyncExternalStore(listen, () => window.location.search);
}

/** The values of a pattern's `:names` in a path; null if the path does not match. A trailing slash is ignored. */
export function match(pattern: string, path: string): Params | null {
  const wanted = pieces(pattern);
  const given = pieces(path);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const got = given[index] ?? "";
    if (want.startsWith(":")) params[want.slice(1)] = decoded(got);
    else if (want !== got) return null;
  }
  return params;
}

function pieces(path: string): string[] {
  return path.split("/").filter((piece) => piece !== "");
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

export const RouteContext = createContext<Params>({});

/** The `:names` of the current route. */
export function useRoute(): Params {
  return useContext(RouteContext);
}

export type QueryChange = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path with its query changed; parameters set to null, undefined, false or "" are removed. */
export function withQuery(href: string, change: QueryChange): string {
  const [path = "", search = ""] = href.split("?");
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === undefined || value === "" || value === false) params.delete(name);
    else params.set(name, String(value));
  }
  const told = params.toString();
  return told === "" ? path : `${path}?${told}`;
}

export interface Query {
  readonly params: URLSearchParams;
  /** One value of the query; `otherwise` if it is missing. */
  get(name: string, otherwise?: string): string;
  /** An integer of the query; null if it is missing or not an integer. */
  number(name: string): number | null;
  /** Change the URL; adds an entry to the browser's history only with `push`. */
  set(change: QueryChange, options?: { push?: boolean }): void;
}

/** The query of the URL, and a way to change it. Filters, orders and selections belong there. */
export function useQuery(): Query {
  const search = useSearch();
  const set = useCallback((change: QueryChange, options: { push?: boolean } = {}) => {
    const { pathname, search: now } = window.location;
    navigate(withQuery(pathname + now, change), { replace: options.push !== true });
  }, []);
  return useMemo(() => queryOf(search, set), [search, set]);
}

function queryOf(search: string, set: Query["set"]): Query {
  const params = new URLSearchParams(search);
  const number = (name: string) => {
    const text = params.get(name);
    return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
  };
  return { params, get: (name, otherwise = "") => params.get(name) ?? otherwise, number, set };
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  replace?: boolean;
}

/** A link within the page; with a modifier key or a target, the browser handles it. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || rest.target || isSpecial(event)) return;
    event.preventDefault();
    navigate(to, { replace });
  };
  return <a href={to} onClick={follow} {...rest} />;
}

function isSpecial(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}
