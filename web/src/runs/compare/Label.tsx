import { cut, Name, short } from "../../parts";
import type { RunSummary } from "../../wire/types";

type Named = Pick<RunSummary, "run_id" | "problem">;

export interface RunLabel {
  readonly name: string;
  /** The end of its id, if another run has the same visible name. */
  readonly mark: string | null;
}

/** Number of characters of a name that are always visible: names that differ only after them look the same. */
const SEEN = 40;

/** The label of each run; runs that look the same are also marked by their ids. */
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
