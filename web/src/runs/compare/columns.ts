import type { CSSProperties } from "react";

/** Passes the number of columns with runs to the style sheet. */
export function columnsOf(runs: number): CSSProperties {
  return { "--compared": runs } as CSSProperties;
}
