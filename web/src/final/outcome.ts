/** The outcome of a run. Only a candidate that the gate adopted is called a winner. */

import type { Proof } from "../candidate/wire";

export type Ending = "going" | "proven" | "adopted" | "nothing" | "revoked" | "stopped" | "failed" | "cancelled";

export interface Outcome {
  readonly ending: Ending;
  readonly title: string;
  readonly tone: "info" | "good" | "warn" | "bad";
  /** Whether there is a winner to show. */
  readonly won: boolean;
}

type Seen = Pick<Proof, "status" | "over" | "state"> & { readonly revoked: readonly unknown[] };

const TITLES: Readonly<Record<Ending, readonly [title: string, tone: Outcome["tone"]]>> = {
  going: ["Still running", "info"],
  proven: ["A winner, proven and confirmed", "good"],
  adopted: ["A winner, adopted but not confirmed", "warn"],
  nothing: ["Completed; nothing was adopted", "info"],
  revoked: ["The adoption was revoked; there is no winner", "bad"],
  stopped: ["Stopped before anything was adopted", "warn"],
  failed: ["The run failed; there is no winner", "bad"],
  cancelled: ["Cancelled before it started", "warn"],
};

export function outcomeOf(proof: Seen): Outcome {
  const ending = endingOf(proof);
  const [title, tone] = TITLES[ending];
  return { ending, title, tone, won: ending === "proven" || ending === "adopted" };
}

function endingOf({ status, over, state, revoked }: Seen): Ending {
  if (!over) return "going";
  if (state === "confirmed") return "proven";
  if (state === "adopted") return "adopted";
  if (revoked.length > 0) return "revoked";
  return status === "stopped" || status === "failed" || status === "cancelled" ? status : "nothing";
}
