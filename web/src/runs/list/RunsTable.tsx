/** Runs as a table, or as cards on narrow screens. */

import { Amount, Money, Name, plain, ShortId, Sparkline, Status, Time, Value } from "../../parts";
import { Link, useQuery } from "../../shell/router";
import { pagePath } from "../../wire/api";
import { TERMINAL } from "../../wire/types";
import type { RunSummary } from "../../wire/types";
import { domainPage } from "../../domains";
import { chosenOf, toggled } from "../filter";

interface RunsTableProps {
  runs: readonly RunSummary[];
  /** Whether the data are current. */
  fresh: boolean;
}

const COLUMNS = ["Compare", "Status", "Run", "Best so far", "Candidates", "Energy", "Cost", "Started", "Last event"];
const NUMERIC = new Set(["Candidates", "Energy", "Cost"]);

export function RunsTable({ runs, fresh }: RunsTableProps) {
  const { params, set } = useQuery();
  const chosen = chosenOf(params.get("compare"));
  const choose = (runId: string) => set({ compare: toggled(chosen, runId).join(",") });
  return (
    <div className="runs-box">
      {/* Explicit roles: with the display styles of cards, browsers no longer treat it as a table. */}
      <table className="runs-table" role="table">
        <caption className="hidden">Runs, one per row</caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((title) => (
              <th key={title} role="columnheader" scope="col" className={NUMERIC.has(title) ? "numeric" : undefined}>
                {title === "Compare" ? <span className="hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} fresh={fresh} chosen={chosen.includes(run.run_id)} onChoose={choose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RunRowProps {
  run: RunSummary;
  fresh: boolean;
  chosen: boolean;
  onChoose: (runId: string) => void;
}

function RunRow({ run, fresh, chosen, onChoose }: RunRowProps) {
  const name = run.problem ?? run.run_id;
  const over = run.status !== null && TERMINAL.has(run.status);
  return (
    <tr role="row" data-run={run.run_id} data-live={!over || undefined} className={chosen ? "runs-picked" : undefined}>
      <td role="cell" className="runs-choose">
        <label className="runs-tick">
          <input type="checkbox" checked={chosen} onChange={() => onChoose(run.run_id)} />
          <span className="hidden">Choose {plain(name, 120)} for comparison</span>
        </label>
      </td>
      <td role="cell" className="runs-status">
        <Value name="status" raw={run.status}>
          <Status of="run" value={run.status} />
        </Value>
        {!over && fresh && <Conducting run={run} />}
      </td>
      <th role="rowheader" scope="row" className="runs-name">
        <Link to={pagePath(run.run_id)} className="runs-link">
          <Name of={name} />
        </Link>
        <span className="runs-about">
          <Value name="domain" raw={run.domain}>
            {domainPage(run.domain).title}
          </Value>
          <ShortId id={run.run_id} />
          {over && run.champion_id !== null && <Link to={`${pagePath(run.run_id)}/final`}>proof</Link>}
          {run.damage != null && <span className="runs-damage">damaged: {run.damage}</span>}
        </span>
      </th>
      <Cells run={run} />
    </tr>
  );
}

/** The conductor of the run; a run that has begun and has no conductor is interrupted. */
function Conducting({ run }: { run: RunSummary }) {
  const interrupted = run.conducted === "nobody" && run.status !== "configured";
  return (
    <span className="runs-live small">
      <Status of="conducted" value={interrupted ? "interrupted" : run.conducted} />
    </span>
  );
}

function Cells({ run }: { run: RunSummary }) {
  return (
    <>
      <td role="cell" data-label="Best so far" className="runs-best">
        <Value name="best" raw={run.best_fitness}>
          <Amount value={run.best_fitness} digits={4} />
        </Value>
        {run.spark.length > 1 && <Sparkline points={run.spark} label={`Best so far, ${run.spark.length} improvements`} />}
      </td>
      <td role="cell" data-label="Candidates" className="numeric">
        <Value name="candidates" raw={run.candidates}>
          <Amount value={run.candidates} />
        </Value>
        <span className="muted small runs-under">{run.scored.toLocaleString("en")} scored</span>
      </td>
      <td role="cell" data-label="Energy" className="numeric">
        <Value name="energy" raw={run.energy_spent}>
          <Amount value={run.energy_spent} />
        </Value>
      </td>
      <td role="cell" data-label="Cost" className="numeric">
        <Value name="cost" raw={run.cost_microusd}>
          <Money microusd={run.cost_microusd} />
        </Value>
      </td>
      <td role="cell" data-label="Started" className="runs-when">
        <Time at={run.started_at} />
      </td>
      <td role="cell" data-label="Last event" className="runs-when">
        <Time at={run.last_event_at} />
      </td>
    </>
  );
}
