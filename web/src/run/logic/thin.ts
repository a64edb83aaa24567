/** Downsampling of long series that preserves how they look when drawn. */

/** The indices of the points to draw: the first, the last, and the lowest and highest of each stretch. */
export function drawnPoints(values: ArrayLike<number>, length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, index) => index);
  const stretches = Math.max(1, Math.floor((most - 2) / 2));
  const chosen = new Set<number>([0, length - 1]);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * length) / stretches);
    const to = Math.floor(((stretch + 1) * length) / stretches);
    let [lowest, highest] = [from, from];
    for (let index = from; index < to; index += 1) {
      if ((values[index] as number) < (values[lowest] as number)) lowest = index;
      if ((values[index] as number) > (values[highest] as number)) highest = index;
    }
    chosen.add(lowest).add(highest);
  }
  return [...chosen].sort((one, other) => one - other);
}
