import type { CSSProperties } from "react";

/** Tells the stylesheet how many runs stand beside each other. */
export function columnsOf(runs: number): CSSProperties {
  return { "--compared": runs } as CSSProperties;
}
