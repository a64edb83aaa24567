/** The token that a server asks for whom others can reach. It is kept for this tab only. */

import { useSyncExternalStore } from "react";

const KEY = "mendel.token";
const listeners = new Set<() => void>();

export function token(): string | null {
  return globalThis.sessionStorage?.getItem(KEY) ?? null;
}

/** Keep a token, or forget it. */
export function setToken(value: string | null): void {
  if (value === null || value === "") globalThis.sessionStorage.removeItem(KEY);
  else globalThis.sessionStorage.setItem(KEY, value);
  for (const listener of listeners) listener();
}

/** Hear of another token, or that it is forgotten. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a token is kept. */
export function useHasToken(): boolean {
  return useSyncExternalStore(onToken, () => token() !== null);
}

/** What goes with every request. */
export function authorization(): Record<string, string> {
  const known = token();
  return known === null ? {} : { Authorization: `Bearer ${known}` };
}
