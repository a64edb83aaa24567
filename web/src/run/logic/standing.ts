/** Why whoever scored best is not the champion. Said from the verdicts up to the moment that is shown, and from nothing else. */

import type { Moment, VerdictAt } from "../../history";
import { nick } from "./amounts";

type Seen = Pick<Moment, "best" | "verdicts" | "champions"> & { readonly run: Pick<Moment["run"], "over"> };

/** A sentence, or null where the best is the champion or nobody has a score. */
export function bestUnadopted({ best, verdicts, champions, run }: Seen): string | null {
  if (best === null) return null;
  const reigning = new Set(champions.values());
  if (reigning.has(best.candidateId)) return null;
  const fate = fateOf(verdicts.filter(({ candidateId }) => candidateId === best.candidateId), run.over);
  const instead = reigning.size === 0 ? "The gate has adopted nobody; a score alone proves nothing." : "The champion is whom the gate adopted.";
  return `${nick(best.candidateId)} scored best and is not champion: ${fate}. ${instead}`;
}

const DECIDED = {
  reject: "the gate rejected it",
  undecided: "the gate could not decide about it",
  adopt: "the gate let it in, and it does not reign yet",
} as const;

function fateOf(told: readonly VerdictAt[], over: boolean): string {
  const last = told.at(-1);
  if (last === undefined) return over ? "it never stood before the gate" : "it has not stood before the gate yet";
  if (last.what === "revoked") return "its adoption was revoked";
  if (last.what !== "verdict") return "it reigned until another one was adopted in its place";
  return last.decision === null ? "the gate has not decided about it" : DECIDED[last.decision];
}
