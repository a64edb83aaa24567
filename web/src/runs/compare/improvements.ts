/** The improvements of a run, each with the spend by then. */

import type { Moment } from "../../history";
import type { Improvement } from "./curves";

type Seen = Pick<Moment, "scoreSeries" | "energySeries" | "timeOf"> & { readonly run: Pick<Moment["run"], "startedAt"> };

export function improvementsIn(moment: Seen): Improvement[] {
  const { length, sequence, best } = moment.scoreSeries;
  const began = moment.run.startedAt === null ? null : Date.parse(moment.run.startedAt);
  const found: Improvement[] = [];
  const energy = spending(moment.energySeries);
  for (let index = 0; index < length; index += 1) {
    const [fitness, at] = [best[index] as number, sequence[index] as number];
    if (index > 0 && fitness === best[index - 1]) continue;
    const time = moment.timeOf(at);
    const seconds = time === null || began === null ? null : Math.max(0, (time - began) / 1000);
    found.push({ scored: index + 1, fitness, energy: energy(at), seconds });
  }
  return found;
}

/** A function that returns the spend up to an event; call it with ascending events. */
function spending({ length, sequence, total }: Moment["energySeries"]): (at: number) => number {
  let next = 0;
  return (at) => {
    while (next < length && (sequence[next] as number) <= at) next += 1;
    return total[next - 1] ?? 0;
  };
}
