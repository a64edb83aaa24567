/** Who conducts a run lets it go when it ends: whoever watches asks then, and again when there was time for that. */

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
