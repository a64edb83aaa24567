/** The ticks of a run: its generations, adoptions and revocations. */

import type { Moment } from "../../history";
import { nick } from "./amounts";
import type { Tick } from "./ticks";

/** All ticks, in order. Pass the latest moment. */
export function ticksOf({ generations, verdicts }: Moment): Tick[] {
  const begun = generations.map(({ first, index }): Tick => ({ sequence: first, kind: "generation", label: `generation ${index ?? "?"}` }));
  const judged = verdicts.flatMap(({ what, sequence, candidateId }): Tick[] => {
    if (what === "adopted") return [{ sequence, kind: "adoption", label: `the adoption of ${nick(candidateId)}` }];
    return what === "revoked" ? [{ sequence, kind: "revocation", label: `the revocation of ${nick(candidateId)}` }] : [];
  });
  return [...begun, ...judged].sort((one, other) => one.sequence - other.sequence);
}
