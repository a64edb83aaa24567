/** Whether a run that has begun and not ended lacks an active conductor. */

import type { Health } from "../../wire/types";
import { isOver } from "./controls";

export type Absence = "nobody" | "silent";

/** Null if it has an active conductor or needs none, and while the server's answer is missing. */
export function absenceOf(status: string | null, health: Pick<Health, "conducted" | "stalled"> | null): Absence | null {
  if (health === null || status === null || status === "configured" || isOver(status)) return null;
  if (health.conducted === "nobody") return "nobody";
  return health.stalled ? "silent" : null;
}
