/** The error budget of a niche: its k-th challenge may spend alpha * 6 / (pi^2 * k^2), which over all k adds up to alpha. */

/** What the k-th challenge may spend. */
export function shareOf(alpha: number, k: number): number {
  return (alpha * 6) / (Math.PI ** 2 * k ** 2);
}

/** What challenges `before + 1` to `before + count` spend together. */
export function spentBy(alpha: number, count: number, before = 0): number {
  let sum = 0;
  for (let k = before + count; k > before; k -= 1) sum += shareOf(alpha, k);
  return sum;
}
