/** Polling with ETags: the server sends data only if they have changed. */

import { useCallback, useEffect, useRef, useState } from "react";

import { address } from "../wire/client";
import type { Params } from "../wire/client";
import { asProblem, problemOf, unreachable } from "../wire/problem";
import type { Problem } from "../wire/problem";
import { noteReach } from "../wire/reach";
import { authorization, onToken } from "../wire/token";
import { withToken } from "../wire/tokenWanted";

export interface Asked<T> {
  readonly data: T;
  readonly tag: string | null;
}

/** The response, or null if it still has the given tag. */
export function askIfChanged<T>(path: string, tag: string | null, signal: AbortSignal): Promise<Asked<T> | null> {
  return withToken(() => asked<T>(path, tag, signal), "once");
}

async function asked<T>(path: string, tag: string | null, signal: AbortSignal): Promise<Asked<T> | null> {
  const headers: Record<string, string> = { Accept: "application/json", ...authorization() };
  if (tag !== null) headers["If-None-Match"] = tag;
  let answer: Response;
  try {
    answer = await fetch(path, { headers, signal, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (signal.aborted) throw error;
    noteReach(false);
    throw unreachable(error);
  }
  noteReach(true);
  if (answer.status === 304) return null;
  if (!answer.ok) throw await problemOf(answer);
  return { data: (await answer.json()) as T, tag: answer.headers.get("ETag") };
}

export interface Polled<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** Load at once, every `every` milliseconds while the page is visible, and when it becomes visible. Old data are kept. */
export function usePolled<T>(path: string, params: Params, every: number): Polled<T> {
  const asked = address(path, params);
  const [state, setState] = useState<Omit<Polled<T>, "reload">>({ data: null, problem: null, loading: true });
  const again = useRef<() => void>(() => undefined);

  useEffect(() => {
    const closing = new AbortController();
    let tag: string | null = null;
    let busy = false;
    const ask = async () => {
      if (busy) return; // a slow server must not accumulate requests
      busy = true;
      try {
        const told = await askIfChanged<T>(asked, tag, closing.signal);
        if (closing.signal.aborted) return;
        if (told !== null) tag = told.tag;
        setState((was) => ({ data: told === null ? was.data : told.data, problem: null, loading: false }));
      } catch (error) {
        if (!closing.signal.aborted) setState((was) => ({ ...was, problem: asProblem(error), loading: false }));
      } finally {
        busy = false;
      }
    };
    const seen = () => document.visibilityState !== "hidden" && void ask();
    setState((was) => ({ ...was, loading: true }));
    again.current = seen;
    void ask();
    const timer = setInterval(seen, every);
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("online", seen);
    const deaf = onToken(seen);
    return () => {
      closing.abort();
      deaf();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("online", seen);
    };
  }, [asked, every]);

  const reload = useCallback(() => again.current(), []);
  return { ...state, reload };
}
