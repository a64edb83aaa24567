/** Numbers and times as texts. */

const DASH = "–";

/** Money, given in millionths of a dollar; small amounts keep their meaning. */
export function money(microusd: number | null | undefined): string {
  if (microusd === null || microusd === undefined) return DASH;
  const dollars = microusd / 1_000_000;
  if (dollars === 0) return "$0";
  const digits = dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6;
  return `$${dollars.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** A number with separators; whole ones as they are, others with `digits` that count. */
export function amount(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined) return DASH;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "not a number";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(digits - 1);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))) });
}

/** A large number in short: 12.3k, 4.5M. */
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

/** How long something took: 340 ms, 12.4 s, 3 min 20 s. */
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

/** How long ago: now, 5 s ago, 3 h ago; what is to come is said so too. */
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

/** The whole time, in UTC. */
export function absolute(at: string | number): string {
  const time = new Date(milliseconds(at));
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString().replace("T", " ").replace(/\.\d+Z$|Z$/, " UTC");
}

export function short(id: string): string {
  // Ids that begin with the time are alike in front: the end tells them apart.
  return id.length > 12 ? id.slice(-8) : id;
}

/** The beginning of a text that may be very long. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The beginning of a text, without signs that turn the direction of what stands beside it; for where no element can hold them in. */
export function plain(text: string, most: number): string {
  return cut(text.replaceAll(DIRECTIONS, ""), most);
}

/** A name of the log as words: `eligible_parent` as "eligible parent". */
export function words(name: string): string {
  return name.replaceAll(/[_.]/g, " ");
}
