/** Checks of a chosen file before it is sent. */

const MOST_BYTES = 2 * 1024 ** 3;

/** The reason why a file cannot be sent, or null. Only the server checks the content. */
export function objection(file: { readonly name: string; readonly size: number }): string | null {
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > MOST_BYTES) return `${file.name} has ${size(file.size)}; the limit is ${size(MOST_BYTES)}.`;
  return null;
}

/** A number of bytes in a readable unit. */
export function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toLocaleString("en", { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`;
}
