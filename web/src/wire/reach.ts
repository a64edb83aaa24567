/** Whether the server responds, known from all calls; while it does not, it is polled every few seconds. */

import { useEffect, useState, useSyncExternalStore } from "react";

const ASK_EVERY = 5_000;

let reached = true;
let asking: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

function set(now: boolean): void {
  if (now === reached) return;
  reached = now;
  for (const listener of listeners) listener();
}

/** Record whether a call got a response. */
export function noteReach(answered: boolean): void {
  set(answered);
  if (answered && asking !== null) {
    clearInterval(asking);
    asking = null;
  } else if (!answered) {
    asking ??= setInterval(() => void ask(), ASK_EVERY);
  }
}

async function ask(): Promise<Response | null> {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" }); // a cached response would hide a dead server
    noteReach(true);
    return answer;
  } catch {
    noteReach(false);
    return null;
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Check whether the server responds now. */
export async function answers(): Promise<boolean> {
  return (await ask()) !== null;
}

/** Call `back` when the server responds again; returns a function that unsubscribes. */
export function onceReached(back: () => void): () => void {
  return listen(() => reached && back());
}

export function useReach(): boolean {
  return useSyncExternalStore(listen, () => reached);
}

/** The server's version; null while it is unknown. */
export function useVersion(): string | null {
  const [version, setVersion] = useState<string | null>(null);
  useEffect(() => {
    let shown = true;
    void told().then((found) => shown && setVersion(found));
    return () => {
      shown = false;
    };
  }, []);
  return version;
}

async function told(): Promise<string | null> {
  const answer = await ask();
  if (answer === null || !answer.ok) return null;
  try {
    const body: unknown = await answer.json();
    const { version } = body as { version?: unknown };
    return typeof version === "string" ? version : null;
  } catch {
    return null;
  }
}
