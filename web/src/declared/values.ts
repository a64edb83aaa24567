/** Values of a declared panel: found by dotted paths and formatted as declared. None of them is rendered as markup. */

import { isRecord, textOf } from "../candidate/findings";
import { size } from "../files/choosing";
import { amount, duration, plain } from "../parts/formatted";
import type { Json } from "../wire/types";
import type { Format } from "./types";

const DASH = "–";
const MOST_TEXT = 500;

/** The value at a dotted path, or undefined. A negative index counts from the end of a list. */
export function valueAt(root: Json | undefined, path: string): Json | undefined {
  let found = root;
  for (const step of path.split(".")) {
    if (Array.isArray(found)) found = /^-?\d+$/.test(step) ? found.at(Number(step)) : undefined;
    else if (isRecord(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found === null ? undefined : found;
}

export function numberAt(root: Json | undefined, path: string | null): number | null {
  const found = path === null ? undefined : valueAt(root, path);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** The list at a path; empty if there is none. */
export function rowsAt(root: Json | undefined, path: string): readonly Json[] {
  const found = valueAt(root, path);
  return Array.isArray(found) ? found : [];
}

/** A value as text; a dash if it is missing or does not fit the format. */
export function written(value: Json | undefined, format: Format): string {
  if (value === undefined || value === null) return DASH;
  if (format === "text") return plain(textOf(value), MOST_TEXT);
  return typeof value === "number" && Number.isFinite(value) ? NUMBERS[format](value) : DASH;
}

const NUMBERS: Readonly<Record<Exclude<Format, "text">, (value: number) => string>> = {
  number: (value) => amount(value),
  factor: (value) => `${value.toLocaleString("en", { maximumSignificantDigits: 3 })}×`,
  share: (value) => `${(value * 100).toLocaleString("en", { maximumSignificantDigits: 3 })} %`,
  bytes: size,
  duration: (value) => duration(value),
};

const PLACES = /\{([^{}:]+)(?::([a-z]+))?\}/g;

/** A template with every `{path}` and `{path:format}` replaced by the value at that path. */
export function filled(template: string, root: Json | undefined): string {
  return template.replaceAll(PLACES, (_, path: string, format: string | undefined) => {
    const value = valueAt(root, path);
    return written(value, isFormat(format) ? format : typeof value === "number" ? "number" : "text");
  });
}

const isFormat = (name: string | undefined): name is Format => name === "text" || (name !== undefined && Object.hasOwn(NUMBERS, name));

/** The plain value for `data-raw`, which tests compare. */
export function raw(value: Json | undefined): string | number | undefined {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return plain(value, MOST_TEXT);
  return typeof value === "number" ? value : undefined;
}
