/** Asking the person at the page for the token that the server wants: once, however many calls wait for it. */

import { useSyncExternalStore } from "react";

import { Problem } from "./problem";
import { onToken, setToken, token } from "./token";

/** The code of a refusal for want of the token. */
export const TOKEN_REQUIRED = "token_required";

/** `always` for what a person did; `once` for what the page does by itself, which does not ask again who said no; or `never`. */
export type Asks = "always" | "once" | "never";

export interface Wanted {
  /** Whether a token went with what was refused: it was not the right one. */
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

/** What whoever shows the question has to show. */
export function useWanted(): Wanted | null {
  return useSyncExternalStore(listen, () => wanted);
}

/** Do something that may need the token; where it is refused for want of it, ask for it and do it again. */
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

/** Whether there is another token than the one that was refused; the person is asked for it. */
export function tokenGiven(refused: string | null, asks: Asks): Promise<boolean> {
  if (token() !== refused) return Promise.resolve(true);
  const nobodyHears = listeners.size === 0;
  if (nobodyHears || asks === "never" || (asks === "once" && declined)) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (wanted === null) show({ wrong: refused !== null });
  });
}

/** What the person answers: the token, or null for none. */
export function answerToken(value: string | null): void {
  const asked = waiting;
  waiting = [];
  if (value === null) declined = true;
  else setToken(value);
  show(null);
  for (const resolve of asked) resolve(value !== null);
}
