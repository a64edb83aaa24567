/** Asks for what a page will show before the page itself is loaded: both take a while, and neither needs the other. */

import { authorization } from "./token";

const RUN = /^(\/files\/[^/]+)?(\/runs\/[^/]+)(?:\/replay)?\/?$/;
const asked = new Map<string, Promise<Response>>();

/** What the page at that path begins with, if it is the page of a run. */
export function beginning(path: string): string | null {
  const found = RUN.exec(path);
  return found === null ? null : `/api${found[1] ?? ""}${found[2] ?? ""}/history`;
}

/** How everything is read. */
export function reading(): RequestInit {
  return { headers: { Accept: "application/json", ...authorization() }, credentials: "same-origin" };
}

/** Ask now. */
export function askEarly(path: string): void {
  const answer = fetch(path, reading());
  answer.catch(() => undefined); // whoever takes it is told
  asked.set(path, answer);
}

/** What was asked for early; it is given to one who reads it, and once. */
export function takeEarly(path: string): Promise<Response> | null {
  const found = asked.get(path) ?? null;
  asked.delete(path);
  return found;
}
