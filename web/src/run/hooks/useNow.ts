/** The current time, updated regularly, for values that change although no event arrives. */

import { useEffect, useState } from "react";

import type { RunView } from "../view";

export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** The time up to which durations count, in milliseconds since 1970: now when live; the moment's time in a replay or after the end. */
export function usePresent({ moment, replay }: RunView, every = 1_000): number {
  const now = useNow(every);
  return replay || moment.run.over ? (moment.time ?? now) : now;
}
