/** Findings of an operation as readable lines. They may come from the examined candidate: rendered as text only. */

import type { Json, JsonObject } from "../wire/types";

export interface Line {
  readonly name: string;
  readonly text: string;
}

/** A list of records, as a table. */
export interface Grid {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Readable {
  readonly kind: string | null;
  readonly lines: readonly Line[];
  readonly grids: readonly Grid[];
}

const MOST_PLAIN = 24;

/** Convert findings to lines and tables; of a domain's payload only the data are shown. */
export function readable(findings: Json | undefined): Readable {
  const payload = isRecord(findings) && isRecord(findings.data) && typeof findings.kind === "string" ? findings : null;
  const lines: Line[] = [];
  const grids: Grid[] = [];
  const data = payload === null ? findings : payload.data;
  if (isRecord(data)) collect("", data, lines, grids);
  else if (data !== null && data !== undefined) lines.push({ name: "found", text: textOf(data) });
  return { kind: payload === null ? null : String(payload.kind), lines, grids };
}

function collect(path: string, data: JsonObject, lines: Line[], grids: Grid[]): void {
  for (const [key, value] of Object.entries(data)) {
    const name = path === "" ? spoken(key) : `${path} · ${spoken(key)}`;
    if (isEmpty(value)) continue;
    if (isRecord(value)) collect(name, value, lines, grids);
    else if (isGrid(value)) grids.push(gridOf(name, value));
    else lines.push({ name, text: textOf(value) });
  }
}

function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

export function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isGrid(value: Json): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every((each: Json) => isRecord(each));
}

function gridOf(name: string, records: readonly JsonObject[]): Grid {
  const columns = [...new Set(records.flatMap((each) => Object.keys(each)))];
  const rows = records.map((each) => columns.map((column) => textOf(each[column] ?? null)));
  return { name, columns: columns.map(spoken), rows };
}

/** Any value as short text; numbers with few digits. */
export function textOf(value: Json): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listText(value);
  return JSON.stringify(value);
}

function listText(values: readonly Json[]): string {
  const shown = values.slice(0, MOST_PLAIN).map((each) => (Array.isArray(each) ? `(${listText(each)})` : textOf(each)));
  const rest = values.length - shown.length;
  return shown.join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

export function numberText(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(3);
  return value.toLocaleString("en", { maximumSignificantDigits: 5 });
}

export const spoken = (name: string): string => name.replaceAll("_", " ");
