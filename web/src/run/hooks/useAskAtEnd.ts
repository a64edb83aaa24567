/** Reload the health at the end of a run, and again a little later: its conductor releases the run only after the end. */

import { useEffect, useRef } from "react";

const LETTING_GO = 2_000;

export function useAskAtEnd(over: boolean, ask: () => void): void {
  const was = useRef(over);
  useEffect(() => {
    const ends = over && !was.current;
    was.current = over;
    if (!ends) return undefined;
    ask();
    const timer = setTimeout(ask, LETTING_GO);
    return () => clearTimeout(timer);
  }, [over, ask]);
}
