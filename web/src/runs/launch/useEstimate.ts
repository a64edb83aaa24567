import { useEffect, useState } from "react";

import { api } from "../../wire/api";
import { asProblem } from "../../wire/problem";
import type { Problem } from "../../wire/problem";
import type { Estimate, RunRequest } from "../../wire/types";

export interface Estimated {
  readonly data: Estimate | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
}

const TYPING = 400;
const NOTHING: Estimated = { data: null, problem: null, loading: false };

/** The worst-case estimate of a request, loaded once the user pauses typing; none for an unfinished form (null). */
export function useEstimate(request: RunRequest | null): Estimated {
  const [state, setState] = useState<Estimated>(NOTHING);
  const asked = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (asked === null) return setState(NOTHING);
    const closing = new AbortController();
    setState((was) => ({ ...was, loading: true }));
    const timer = setTimeout(() => {
      api.estimate(JSON.parse(asked) as RunRequest, { signal: closing.signal, asks: "once" }).then(
        (data) => !closing.signal.aborted && setState({ data, problem: null, loading: false }),
        (error: unknown) => !closing.signal.aborted && setState({ data: null, problem: asProblem(error), loading: false }),
      );
    }, TYPING);
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [asked]);
  return state;
}
