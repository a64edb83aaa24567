/** Ticks: the events of a run worth jumping to. */

export type TickKind = "generation" | "adoption" | "revocation";

export interface Tick {
  readonly sequence: number;
  readonly kind: TickKind;
  readonly label: string;
}

/** The first tick after `at`, or null. Ticks are in order. */
export function tickAfter(ticks: readonly Tick[], at: number): Tick | null {
  return ticks.find(({ sequence }) => sequence > at) ?? null;
}

/** The last tick before `at`, or null. */
export function tickBefore(ticks: readonly Tick[], at: number): Tick | null {
  return ticks.findLast(({ sequence }) => sequence < at) ?? null;
}

/** At most `most` ticks: all adoptions and revocations, and every n-th generation. */
export function thinned(ticks: readonly Tick[], most: number): Tick[] {
  if (ticks.length <= most) return [...ticks];
  const every = Math.ceil(ticks.length / most);
  return ticks.filter(({ kind }, index) => kind !== "generation" || index % every === 0).slice(0, most);
}

/** The position of `at` on a line from 0 to `last`, in percent. */
export function placeOf(at: number, last: number): number {
  return last <= 0 ? 0 : Math.min(Math.max((at / last) * 100, 0), 100);
}
