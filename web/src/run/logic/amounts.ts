/** Formatting of amounts on this page, in addition to `parts/formatted`. The exact value is in `data-raw`. */

import { amount, brief } from "../../parts/formatted";

const DASH = "–";
type Maybe = number | null | undefined;

export function whole(value: Maybe): string {
  return value === null || value === undefined ? DASH : amount(Math.round(value));
}

/** A number of any size in few characters, for axes and bars. */
export function short(value: Maybe): string {
  return typeof value === "number" && Math.abs(value) >= 1e4 ? brief(value) : amount(value, 3);
}

/** A number of any size in about five characters, for cells. */
export function few(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e4) return brief(value);
  return size !== 0 && size < 0.001 ? value.toExponential(0) : String(Number(value.toPrecision(2)));
}

/** A fitness, with enough digits to distinguish similar ones. */
export function fitness(value: Maybe): string {
  if (value === null || value === undefined) return DASH;
  const size = Math.abs(value);
  return size >= 1000 || (size !== 0 && size < 0.1) ? short(value) : value.toFixed(3);
}

export function percent(share: Maybe): string {
  if (share === null || share === undefined) return DASH;
  return share > 0 && share < 0.001 ? "<0.1%" : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/** The short name of a candidate or genome: `candidate-33.0-a651f986` becomes `c33.0`. */
export function nick(id: string): string {
  const parts = id.split("-");
  return parts.length === 3 ? `${(parts[0] ?? "").slice(0, 1)}${parts[1] ?? ""}` : id.slice(0, 12);
}
