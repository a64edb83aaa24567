/** The intervals with their required ranges, and the looks of a sequential test. */

import { GateInterval } from "../candidate/GateInterval";
import { DataTable, Empty, Panel, Status } from "../parts";
import type { Column } from "../parts";
import type { GuardReport, Look } from "./types";

const bound = (value: number | null): string =>
  value === null ? "unbounded" : value.toLocaleString("en", { maximumSignificantDigits: 4 });

const LOOKS: readonly Column<Look>[] = [
  { name: "n", title: "Cases", numeric: true, head: true, cell: (row) => row.n.toLocaleString("en") },
  { name: "estimate", title: "Estimate", numeric: true, cell: (row) => bound(row.interval.estimate) },
  { name: "lower", title: "Lower", numeric: true, cell: (row) => bound(row.interval.lower) },
  { name: "upper", title: "Upper", numeric: true, cell: (row) => bound(row.interval.upper) },
  { name: "decision", title: "Decision", cell: (row) => <Status of="decision" value={row.decision} /> },
];

export function IntervalsPanel({ report }: { report: GuardReport }) {
  const { intervals, verdict } = report;
  return (
    <Panel name="intervals" title="Measurements" note="Each estimate with its interval and the required range.">
      {intervals.length === 0 && <Empty title="The decision does not depend on an interval" />}
      <div className="grid">
        {intervals.map((interval) => (
          <GateInterval key={interval.name} interval={interval} metric={verdict.metrics[interval.name]} />
        ))}
      </div>
      {verdict.looks.length > 0 && (
        <section>
          <h3>Looks of the sequential test</h3>
          <DataTable caption="Looks of the sequential test" columns={LOOKS} rows={verdict.looks} keyOf={(row) => String(row.n)} />
        </section>
      )}
    </Panel>
  );
}
