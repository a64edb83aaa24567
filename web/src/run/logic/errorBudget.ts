/** The error budget of a niche: the k-th challenge may spend alpha * 6 / (pi^2 * k^2), which adds up to alpha over all k. */

/** The share of the k-th challenge. */
export function shareOf(alpha: number, k: number): number {
  return (alpha * 6) / (Math.PI ** 2 * k ** 2);
}

/** The total share of challenges `before + 1` to `before + count`. */
export function spentBy(alpha: number, count: number, before = 0): number {
  let sum = 0;
  for (let k = before + count; k > before; k -= 1) sum += shareOf(alpha, k);
  return sum;
}
