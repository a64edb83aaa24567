import type { ReactNode } from "react";

import { Amount, Duration, Money, Panel, Status } from "../../parts";
import { Link } from "../../shell/router";
import { pagePath } from "../../wire/api";
import { secondsOf } from "./curves";
import { columnsOf } from "./columns";
import { Label, labelsOf } from "./Label";
import { Swatch } from "./Swatch";
import type { Compared } from "./useCompared";

interface Line {
  readonly name: string;
  readonly label: string;
  readonly raw: (each: Compared) => number | string | null;
  readonly cell: (each: Compared) => ReactNode;
  /** Which value is best, for figures with a direction. */
  readonly best?: "most" | "least" | undefined;
}

const LINES: readonly Line[] = [
  { name: "status", label: "Status", raw: ({ run }) => run.status, cell: ({ run }) => <Status of="run" value={run.status} /> },
  { name: "best", label: "Best fitness", raw: ({ run }) => run.best_fitness, cell: ({ run }) => <Amount value={run.best_fitness} />, best: "most" },
  { name: "verdict", label: "Champion's verdict", raw: ({ verdict }) => verdict, cell: ({ verdict }) => <Word verdict={verdict} /> },
  { name: "scored", label: "Candidates scored", raw: ({ run }) => run.scored, cell: ({ run }) => <Amount value={run.scored} /> },
  { name: "candidates", label: "Candidates", raw: ({ run }) => run.candidates, cell: ({ run }) => <Amount value={run.candidates} /> },
  { name: "energy", label: "Energy", raw: ({ run }) => run.energy_spent, cell: ({ run }) => <Amount value={run.energy_spent} />, best: "least" },
  { name: "cost", label: "Cost", raw: ({ run }) => run.cost_microusd, cell: ({ run }) => <Money microusd={run.cost_microusd} />, best: "least" },
  { name: "seconds", label: "Duration", raw: ({ run }) => secondsOf(run), cell: ({ run }) => <Duration ms={toMs(secondsOf(run))} />, best: "least" },
];

const toMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

function Word({ verdict }: { verdict: string | null }) {
  if (verdict === null) return <span className="muted">no champion</span>;
  const of = verdict === "adopted" || verdict === "confirmed" || verdict === "revoked" ? "verdict" : "decision";
  return <Status of={of} value={verdict} />;
}

/** The same figures of all runs; the best one is marked if the runs are comparable. */
export function FigureTable({ runs, comparable }: { runs: readonly Compared[]; comparable: boolean }) {
  const labels = labelsOf(runs.map(({ run }) => run));
  return (
    <Panel name="figures" title="Figures">
      <div className="table-box" tabIndex={0} role="region" aria-label="Figures of the runs">
        <table className="table compare-table" style={columnsOf(runs.length)}>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {runs.map(({ run }, place) => (
                <th key={run.run_id} scope="col">
                  <Swatch place={place} /> <Link to={pagePath(run.run_id)}><Label of={labels[place]} /></Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {LINES.map((line) => (
              <FigureRow key={line.name} line={comparable ? line : { ...line, best: undefined }} runs={runs} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function FigureRow({ line, runs }: { line: Line; runs: readonly Compared[] }) {
  const ahead = leading(runs.map(line.raw), line.best);
  return (
    <tr>
      <th scope="row">{line.label}</th>
      {runs.map((each, place) => (
        <td key={each.run.run_id} data-value={line.name} data-run={each.run.run_id} data-raw={line.raw(each) ?? undefined}>
          {line.cell(each)}
          {place === ahead && <span className="compare-ahead"> ◂ {line.best === "most" ? "highest" : "lowest"}</span>}
        </td>
      ))}
    </tr>
  );
}

/** The index of the best value; null in a tie or for a figure without a direction. */
export function leading(values: readonly (number | string | null)[], best: Line["best"]): number | null {
  const known = values.filter((value): value is number => typeof value === "number");
  if (best === undefined || known.length < 2) return null;
  const top = best === "most" ? Math.max(...known) : Math.min(...known);
  return known.filter((value) => value === top).length === 1 ? values.indexOf(top) : null;
}
