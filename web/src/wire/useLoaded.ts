/** Loading of data from the server, with its states. */

import { useCallback, useEffect, useRef, useState } from "react";

import { asProblem } from "./problem";
import type { Problem } from "./problem";
import { onToken } from "./token";
import { isTokenRequired } from "./tokenWanted";

export type Loaded<T> = {
  /** The data of the last successful load; kept during a reload. */
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
 * Load data, again whenever `key` changes (which discards the old data), and every `every` milliseconds.
 * With a null `key` nothing is loaded.
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
