/** The run's conductor at a moment, and the total time with a conductor: the wall clock excludes time without one. */

import type { Json } from "../wire/types";
import type { Table } from "./table";

export interface ConductingAt {
  /** Null before the first conductor. */
  readonly conductor: string | null;
  readonly takingsOver: number;
  /** The total time with a conductor. */
  readonly wallClockMs: number;
}

/** A takeover as the server sends it: the event, its time, the total time with a conductor before it, the new conductor. */
type TakingOver = readonly [sequence: number, began: string, earlierMs: number, conductor: string];

/** Null if the rows lack it: older files and servers. */
export function conductingAt(runs: Table, sequence: number, time: number | null): ConductingAt | null {
  const told = runs.value(0, "conducting");
  if (!Array.isArray(told)) return null;
  const by = (told as readonly Json[] as unknown as readonly TakingOver[]).filter(([at]) => at <= sequence);
  const last = by.at(-1);
  if (last === undefined) return { conductor: null, takingsOver: 0, wallClockMs: 0 };
  const [, began, earlierMs, conductor] = last;
  // The clock of the machine may go back; the elapsed time must not.
  const since = time === null ? 0 : Math.max(0, time - Date.parse(began));
  return { conductor, takingsOver: by.length, wallClockMs: Math.round(earlierMs + since) };
}
