import { useMemo } from "react";

import { Empty, Panel } from "../../parts";
import { differences } from "./configDiff";
import type { Difference } from "./configDiff";
import { columnsOf } from "./columns";
import { Label, labelsOf } from "./Label";
import { Swatch } from "./Swatch";
import type { Compared } from "./useCompared";

const LONG = 160;

/** The settings in which the configurations differ. */
export function ConfigTable({ runs }: { runs: readonly Compared[] }) {
  const found = useMemo(() => differences(runs.map(({ run }) => run.config)), [runs]);
  const labels = labelsOf(runs.map(({ run }) => run));
  return (
    <Panel name="configuration" title="Differences in configuration" note={`${found.length} ${found.length === 1 ? "difference" : "differences"}`}>
      {found.length === 0 ? (
        <Empty title="No differences">{runs.length === 1 ? "Only one run is chosen." : "All runs have the same configuration, including the seed."}</Empty>
      ) : (
        <div className="table-box" tabIndex={0} role="region" aria-label="Differing settings by run">
          <table className="table compare-table" style={columnsOf(runs.length)} data-value="config-differences" data-raw={found.length}>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                {runs.map(({ run }, place) => (
                  <th key={run.run_id} scope="col">
                    <Swatch place={place} /> <Label of={labels[place]} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.map((difference) => (
                <DifferenceRow key={difference.path} difference={difference} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function DifferenceRow({ difference: { path, values } }: { difference: Difference }) {
  return (
    <tr data-setting={path}>
      <th scope="row" className="mono">
        {path}
      </th>
      {values.map((value, place) => (
        <td key={place}>{value === undefined ? <span className="muted">not set</span> : <Setting value={value} />}</td>
      ))}
    </tr>
  );
}

function Setting({ value }: { value: string }) {
  if (value.length <= LONG && !value.includes("\n")) return <code>{value}</code>;
  return (
    <details>
      <summary>{value.length.toLocaleString("en")} characters</summary>
      <pre className="compare-long">{value}</pre>
    </details>
  );
}
