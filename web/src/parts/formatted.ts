/** Formatting of numbers, times and names. */

const DASH = "–";

/** Money from millionths of a dollar; small amounts get more digits. */
export function money(microusd: number | null | undefined): string {
  if (microusd === null || microusd === undefined) return DASH;
  const dollars = microusd / 1_000_000;
  if (dollars === 0) return "$0";
  const digits = dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6;
  return `$${dollars.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** A number with separators; non-integers with `digits` significant digits. */
export function amount(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined) return DASH;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "not a number";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(digits - 1);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))) });
}

/** A large number in short form: 12.3K, 4.5M. */
export function brief(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

const UNITS: readonly [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** A duration: 340 ms, 9.4 s, 3 min 20 s. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return DASH;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const place = UNITS.findIndex(([size]) => ms >= size);
  const [size, unit] = UNITS[place] as [number, string];
  const [smaller, its] = UNITS[place + 1] as [number, string];
  const rest = Math.floor((ms % size) / smaller);
  return `${Math.floor(ms / size)} ${unit}${rest > 0 ? ` ${rest} ${its}` : ""}`;
}

/** A relative time: just now, 5 s ago, in 3 h. */
export function ago(at: number, now: number): string {
  const passed = now - at;
  const size = Math.abs(passed);
  if (size < 2_000) return "just now";
  const [unit, name] = UNITS.find(([each]) => size >= each) ?? [1_000, "s"];
  const told = `${Math.floor(size / unit)} ${name}`;
  return passed > 0 ? `${told} ago` : `in ${told}`;
}

export function milliseconds(at: string | number): number {
  return typeof at === "number" ? at : Date.parse(at);
}

/** The full date and time in UTC. */
export function absolute(at: string | number): string {
  const time = new Date(milliseconds(at));
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString().replace("T", " ").replace(/\.\d+Z$|Z$/, " UTC");
}

export function short(id: string): string {
  // Ids start with the time, so ids made at about the same time differ only at the end.
  return id.length > 12 ? id.slice(-8) : id;
}

/** A text truncated to `most` characters. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A truncated text without bidirectional control characters; for places where no element can isolate them. */
export function plain(text: string, most: number): string {
  return cut(text.replaceAll(DIRECTIONS, ""), most);
}

/** A name from the log as words: `eligible_parent` becomes "eligible parent". */
export function words(name: string): string {
  return name.replaceAll(/[_.]/g, " ");
}
