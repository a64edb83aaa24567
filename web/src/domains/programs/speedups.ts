/** The audit of a program: how much faster it is on inputs of which size. */

import type { Json } from "../../wire/types";
import { isRecord } from "../../candidate/findings";

export interface Speedup {
  readonly size: number;
  readonly speedup: number;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly originalMs: number | null;
}

export interface Audit {
  readonly agrees: boolean | null;
  readonly cases: number | null;
  readonly speedups: readonly Speedup[];
}

const number = (value: Json | undefined): number | null => (typeof value === "number" ? value : null);

/** Null where the findings are of another kind. */
export function auditOf(findings: Json | undefined): Audit | null {
  const data = isRecord(findings) && isRecord(findings.data) ? findings.data : findings;
  if (!isRecord(data) || !Array.isArray(data.sizes)) return null;
  const speedups = data.sizes.flatMap((each: Json) => (isRecord(each) ? speedupOf(each) : []));
  return {
    agrees: typeof data.agrees === "boolean" ? data.agrees : null,
    cases: number(data.cases),
    speedups: speedups.sort((one, other) => one.size - other.size),
  };
}

function speedupOf(each: Readonly<Record<string, Json>>): Speedup[] {
  const [size, speedup] = [number(each.size), number(each.speedup)];
  if (size === null || speedup === null) return [];
  return [{ size, speedup, lower: number(each.lower), upper: number(each.upper), originalMs: number(each.original_ms) }];
}

/** "269×", with as many digits as mean something. */
export function times(value: number | null): string {
  if (value === null) return "unbounded";
  return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })}×`;
}
