/** Something that is loaded from the server, with the states that it goes through. */

import { useCallback, useEffect, useRef, useState } from "react";

import { asProblem } from "./problem";
import type { Problem } from "./problem";
import { onToken } from "./token";
import { isTokenRequired } from "./tokenWanted";

export type Loaded<T> = {
  /** What was loaded last; it stays while it is loaded anew. */
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly reload: () => void;
};

interface State<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
}

/**
 * Load something, again whenever `key` changes (then without showing the old), and every `every` milliseconds.
 * With `key` null nothing is loaded.
 */
export function useLoaded<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  options: { every?: number } = {},
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ data: null, problem: null, loading: key !== null });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  const shown = useRef(key);
  latest.current = load;

  useEffect(() => {
    const aborting = new AbortController();
    const fresh = shown.current !== key;
    shown.current = key;
    setState((was) => ({ data: fresh ? null : was.data, problem: fresh ? null : was.problem, loading: key !== null }));
    if (key === null) return undefined;
    latest.current(aborting.signal).then(
      (data) => !aborting.signal.aborted && setState({ data, problem: null, loading: false }),
      (error: unknown) =>
        !aborting.signal.aborted && setState((was) => ({ data: was.data, problem: asProblem(error), loading: false })),
    );
    return () => aborting.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound((was) => was + 1), []);
  const refused = isTokenRequired(state.problem);
  useEffect(() => (refused ? onToken(reload) : undefined), [refused, reload]);
  const { every } = options;
  useEffect(() => {
    if (every === undefined || key === null) return undefined;
    const timer = setInterval(() => document.visibilityState !== "hidden" && reload(), every);
    return () => clearInterval(timer);
  }, [every, key, reload]);

  return { ...state, reload };
}
