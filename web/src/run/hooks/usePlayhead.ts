/** The position of a replay, moved by pointer, by keys or by playing, and kept in the URL. */

import { useCallback, useEffect, useRef, useState } from "react";

import { useQuery } from "../../shell/router";
import { SPEEDS, USUAL_SPEED, clamped, played, rightedAt } from "../logic/playback";
import type { Speed } from "../logic/playback";

export interface Playhead {
  readonly at: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly goTo: (at: number) => void;
  readonly toggle: () => void;
  readonly setSpeed: (speed: number) => void;
}

/** Milliseconds between steps of playing, and between updates of the URL. */
const FRAME_MS = 120;
const URL_MS = 300;

/** The playhead; without an `at` in the URL it is at `last`, the last event. */
export function usePlayhead(last: number, active: boolean): Playhead {
  const query = useQuery();
  const told = query.number("at");
  const [at, setAt] = useState<number | null>(told);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(USUAL_SPEED);
  const shown = clamped(at ?? last, last);
  const written = useWrittenAt(active, at === null ? null : shown, query.set);
  useRighted(active ? query.params.get("at") : null, last, query.set);

  useEffect(() => {
    if (active && told !== written.current) setAt(told);
    if (!active) setPlaying(false);
  }, [told, active, written]);
  usePlaying(playing, shown, last, SPEEDS[speed] as Speed, setAt, () => setPlaying(false));

  const goTo = useCallback((to: number) => setAt(clamped(to, last)), [last]);
  const toggle = useCallback(() => {
    if (!playing && shown >= last) setAt(0);
    setPlaying(!playing);
  }, [playing, shown, last]);
  return { at: shown, playing, speed, goTo, toggle, setSpeed };
}

/** Corrects an `at` that is not an event of the run, without adding an entry to the browser's history. */
function useRighted(told: string | null, last: number, set: (change: { at: string | null }) => void): void {
  const right = told === null ? null : rightedAt(told, last);
  useEffect(() => {
    if (right !== told) set({ at: right });
  }, [told, right, set]);
}

/** Writes the position into the URL, rate-limited because browsers throttle URL changes; returns the last one written. */
function useWrittenAt(active: boolean, at: number | null, set: (change: { at: number }) => void) {
  const written = useRef<number | null>(null);
  const latest = useRef(at);
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  latest.current = at;
  useEffect(() => {
    if (!active || at === null || at === written.current || waiting.current !== null) return;
    waiting.current = setTimeout(() => {
      waiting.current = null;
      if (latest.current === null) return;
      written.current = latest.current;
      set({ at: latest.current });
    }, URL_MS);
  }, [active, at, set]);
  useEffect(
    () => () => {
      if (waiting.current !== null) clearTimeout(waiting.current);
      waiting.current = null;
    },
    [active],
  );
  return written;
}

function usePlaying(
  playing: boolean,
  at: number,
  last: number,
  speed: Speed,
  setAt: (at: number) => void,
  finish: () => void,
): void {
  const place = useRef(at);
  const finishing = useRef(finish);
  finishing.current = finish;
  if (Math.round(place.current) !== at) place.current = at;
  useEffect(() => {
    if (!playing) return undefined;
    let before = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      place.current = played(place.current, now - before, speed, last);
      before = now;
      setAt(Math.floor(place.current));
      if (place.current >= last) finishing.current();
    }, FRAME_MS);
    return () => clearInterval(timer);
  }, [playing, speed, last, setAt]);
}
