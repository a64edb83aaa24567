/** The access token of the server. It is kept for this tab only. */

import { useSyncExternalStore } from "react";

const KEY = "mendel.token";
const listeners = new Set<() => void>();

export function token(): string | null {
  return globalThis.sessionStorage?.getItem(KEY) ?? null;
}

/** Store a token; null or "" deletes it. */
export function setToken(value: string | null): void {
  if (value === null || value === "") globalThis.sessionStorage.removeItem(KEY);
  else globalThis.sessionStorage.setItem(KEY, value);
  for (const listener of listeners) listener();
}

/** Call `listener` when the token changes; returns a function that unsubscribes. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a token is stored. */
export function useHasToken(): boolean {
  return useSyncExternalStore(onToken, () => token() !== null);
}

/** The authorization header of every request. */
export function authorization(): Record<string, string> {
  const known = token();
  return known === null ? {} : { Authorization: `Bearer ${known}` };
}
