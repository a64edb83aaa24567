/** Why the best-scored candidate is not the champion, derived only from the verdicts up to the shown moment. */

import type { Moment, VerdictAt } from "../../history";
import { nick } from "./amounts";

type Seen = Pick<Moment, "best" | "verdicts" | "champions"> & { readonly run: Pick<Moment["run"], "over"> };

/** The explanation; null if the best is a champion or there are no scores. */
export function bestUnadopted({ best, verdicts, champions, run }: Seen): string | null {
  if (best === null) return null;
  const reigning = new Set(champions.values());
  if (reigning.has(best.candidateId)) return null;
  const fate = fateOf(verdicts.filter(({ candidateId }) => candidateId === best.candidateId), run.over);
  const instead =
    reigning.size === 0
      ? "The gate has adopted no candidate; a score alone proves nothing."
      : "The champion is the candidate that the gate adopted.";
  return `${nick(best.candidateId)} has the best score but is not champion: ${fate}. ${instead}`;
}

const DECIDED = {
  reject: "the gate rejected it",
  undecided: "the gate was undecided",
  adopt: "the gate accepted it, but its adoption is not recorded yet",
} as const;

function fateOf(told: readonly VerdictAt[], over: boolean): string {
  const last = told.at(-1);
  if (last === undefined) return over ? "it was not judged by the gate" : "it has not been judged by the gate yet";
  if (last.what === "revoked") return "its adoption was revoked";
  if (last.what !== "verdict") return "it was champion until another candidate was adopted in its place";
  return last.decision === null ? "the gate has not decided yet" : DECIDED[last.decision];
}
