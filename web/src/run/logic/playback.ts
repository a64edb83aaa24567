/** Playback of a run at a fixed number of events per second, or within a fixed time for the whole run. */

export interface Speed {
  readonly name: string;
  /** Events per second in a run whose last event is `last`. */
  readonly perSecond: (last: number) => number;
}

const within = (seconds: number) => (last: number) => Math.max(1, last / seconds);

/** A fixed number of events per second, or the whole run of any length in 60, 20 or 6 seconds. */
export const SPEEDS: readonly Speed[] = [
  { name: "1/s", perSecond: () => 1 },
  { name: "10/s", perSecond: () => 10 },
  { name: "in 60 s", perSecond: within(60) },
  { name: "in 20 s", perSecond: within(20) },
  { name: "in 6 s", perSecond: within(6) },
];
export const USUAL_SPEED = 3;

/** The position after `elapsed` milliseconds; fractional, so that slow speeds make progress too. */
export function played(from: number, elapsed: number, speed: Speed, last: number): number {
  return Math.min(from + (elapsed / 1000) * speed.perSecond(last), last);
}

/** The target of a scrubber key; null for other keys. */
export function keyLeadsTo(key: string, at: number, last: number): number | null {
  const page = Math.max(10, Math.round(last / 20));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    "]": at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    "[": at - 1,
    PageUp: at + page,
    PageDown: at - page,
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined ? null : clamped(to, last);
}

/** The corrected `at` parameter of an address: clamped to the run's events; null if it is not a number. */
export function rightedAt(text: string, last: number): string | null {
  return /^-?\d+$/.test(text) ? String(clamped(Number(text), last)) : null;
}

export function clamped(at: number, last: number): number {
  return Math.min(Math.max(Math.round(at), 0), Math.max(last, 0));
}
