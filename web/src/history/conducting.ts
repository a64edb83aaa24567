/** Who conducted the run when, and for how long all in all: time in which nobody did is no time of the run. */

import type { Json } from "../wire/types";
import type { Table } from "./table";

export interface ConductingAt {
  /** Null before anybody took it up. */
  readonly conductor: string | null;
  readonly takingsOver: number;
  /** For how long it had been conducted. */
  readonly wallClockMs: number;
}

/** As the server tells it: the event, when it was, how long it had been conducted before, and by whom it is from then on. */
type TakingOver = readonly [sequence: number, began: string, earlierMs: number, conductor: string];

/** Null where the rows do not tell: files and servers of an older kind. */
export function conductingAt(runs: Table, sequence: number, time: number | null): ConductingAt | null {
  const told = runs.value(0, "conducting");
  if (!Array.isArray(told)) return null;
  const by = (told as readonly Json[] as unknown as readonly TakingOver[]).filter(([at]) => at <= sequence);
  const last = by.at(-1);
  if (last === undefined) return { conductor: null, takingsOver: 0, wallClockMs: 0 };
  const [, began, earlierMs, conductor] = last;
  // A clock that goes back gives no time back.
  const since = time === null ? 0 : Math.max(0, time - Date.parse(began));
  return { conductor, takingsOver: by.length, wallClockMs: Math.round(earlierMs + since) };
}
