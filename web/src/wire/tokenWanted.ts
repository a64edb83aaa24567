/** Asks the user for the token that the server requires: once, even if several calls wait for it. */

import { useSyncExternalStore } from "react";

import { Problem } from "./problem";
import { onToken, setToken, token } from "./token";

/** The error code for a missing or wrong token. */
export const TOKEN_REQUIRED = "token_required";

/** `always` for user actions; `once` for automatic calls, which do not ask again after the user has declined; or `never`. */
export type Asks = "always" | "once" | "never";

export interface Wanted {
  /** Whether the rejected call had a token, which was therefore wrong. */
  readonly wrong: boolean;
}

let wanted: Wanted | null = null;
let declined = false;
let waiting: ((given: boolean) => void)[] = [];
const listeners = new Set<() => void>();

onToken(() => {
  declined = false;
});

function show(next: Wanted | null): void {
  wanted = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The pending question to the user; null if there is none. */
export function useWanted(): Wanted | null {
  return useSyncExternalStore(listen, () => wanted);
}

/** Call `attempt`; if the token is missing or wrong, ask for it and retry. */
export async function withToken<T>(attempt: () => Promise<T>, asks: Asks): Promise<T> {
  for (;;) {
    const sent = token();
    try {
      return await attempt();
    } catch (error) {
      if (!isTokenRequired(error) || !(await tokenGiven(sent, asks))) throw error;
    }
  }
}

export function isTokenRequired(error: unknown): boolean {
  return error instanceof Problem && error.code === TOKEN_REQUIRED;
}

/** Resolves to whether there is a token other than the rejected one; asks the user for it if necessary. */
export function tokenGiven(refused: string | null, asks: Asks): Promise<boolean> {
  if (token() !== refused) return Promise.resolve(true);
  const nobodyHears = listeners.size === 0; // without a mounted prompt the promise would never resolve
  if (nobodyHears || asks === "never" || (asks === "once" && declined)) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (wanted === null) show({ wrong: refused !== null });
  });
}

/** Handle the user's answer: the token, or null if the user declined. */
export function answerToken(value: string | null): void {
  const asked = waiting;
  waiting = [];
  if (value === null) declined = true;
  else setToken(value);
  show(null);
  for (const resolve of asked) resolve(value !== null);
}
