/** Requests a page's data before the page's code is loaded: both take a while, and neither depends on the other. */

import { authorization } from "./token";

const RUN = /^(\/files\/[^/]+)?(\/runs\/[^/]+)(?:\/replay)?\/?$/;
const asked = new Map<string, Promise<Response>>();

/** The first API path that the page at a path loads, if it is the page of a run; otherwise null. */
export function beginning(path: string): string | null {
  const found = RUN.exec(path);
  return found === null ? null : `/api${found[1] ?? ""}${found[2] ?? ""}/history`;
}

/** The options of every GET request. */
export function reading(): RequestInit {
  return { headers: { Accept: "application/json", ...authorization() }, credentials: "same-origin" };
}

/** Start a request now. */
export function askEarly(path: string): void {
  const answer = fetch(path, reading());
  answer.catch(() => undefined); // not unhandled: `takeEarly` passes the error on
  asked.set(path, answer);
}

/** The response to an early request, for the first caller only. */
export function takeEarly(path: string): Promise<Response> | null {
  const found = asked.get(path) ?? null;
  asked.delete(path);
  return found;
}
