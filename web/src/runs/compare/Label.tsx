import { cut, Name, short } from "../../parts";
import type { RunSummary } from "../../wire/types";

type Named = Pick<RunSummary, "run_id" | "problem">;

export interface RunLabel {
  readonly name: string;
  /** The end of its id, where another one is called alike. */
  readonly mark: string | null;
}

/** So much of a name is surely seen: who differs later only looks alike. */
const SEEN = 40;

/** What each run is called; those that are called alike also by their ids. */
export function labelsOf(runs: readonly Named[]): RunLabel[] {
  const names = runs.map(({ problem, run_id }) => problem ?? short(run_id));
  const seen = names.map((name) => cut(name, SEEN));
  return runs.map(({ run_id }, place) => {
    const alike = seen.filter((other) => other === seen[place]).length > 1;
    return { name: names[place] ?? "", mark: alike ? short(run_id) : null };
  });
}

export function Label({ of }: { of: RunLabel | undefined }) {
  if (of === undefined) return null;
  return (
    <>
      <Name of={of.name} />
      {of.mark !== null && ` (${of.mark})`}
    </>
  );
}
