/** Whether somebody brings a run forward that has begun and is not over. */

import type { Health } from "../../wire/types";
import { isOver } from "./controls";

export type Absence = "nobody" | "silent";

/** Null while somebody does, where nobody has to, and where the server has not said. */
export function absenceOf(status: string | null, health: Pick<Health, "conducted" | "stalled"> | null): Absence | null {
  if (health === null || status === null || status === "configured" || isOver(status)) return null;
  if (health.conducted === "nobody") return "nobody";
  return health.stalled ? "silent" : null;
}
