/** Mapping of values to the five steps of a colour ramp. */

export const STEPS = 5;

export interface Ramp {
  (value: number): number;
  readonly low: number;
  readonly high: number;
}

/** A ramp from the lowest to the highest of these values; if they are equal, all are at the top. */
export function rampOf(values: readonly number[]): Ramp {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const level = (value: number) =>
    high <= low ? STEPS - 1 : Math.min(STEPS - 1, Math.max(0, Math.floor(((value - low) / (high - low)) * STEPS)));
  return Object.assign(level, { low, high });
}
