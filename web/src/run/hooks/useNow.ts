/** The present, again and again: what depends on time alone changes although nothing happens. */

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

/** The present of what is shown, in milliseconds since 1970: the reader's when live, the moment's in a replay. */
export function usePresent({ moment, replay }: RunView, every = 1_000): number {
  const now = useNow(every);
  return replay || moment.run.over ? (moment.time ?? now) : now;
}
