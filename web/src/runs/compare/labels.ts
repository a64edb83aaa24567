import { short } from "../../parts";
import type { RunSummary } from "../../wire/types";

type Named = Pick<RunSummary, "run_id" | "problem">;

/** What each run is called; those that are called alike also by their ids. */
export function labelsOf(runs: readonly Named[]): string[] {
  const names = runs.map(({ problem, run_id }) => problem ?? short(run_id));
  return names.map((name, place) => {
    const alike = names.filter((other) => other === name).length > 1;
    return alike ? `${name} (${short(runs[place]?.run_id ?? "")})` : name;
  });
}
