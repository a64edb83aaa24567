/** Whether a file can be an exported run, found out before it is sent. */

const MOST_BYTES = 2 * 1024 ** 3;

/** What is wrong with a file, or null. What is in it is for the server to judge. */
export function objection(file: { readonly name: string; readonly size: number }): string | null {
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > MOST_BYTES) return `${file.name} has ${size(file.size)}; more than ${size(MOST_BYTES)} is not read.`;
  return null;
}

/** A number of bytes, for people. */
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
