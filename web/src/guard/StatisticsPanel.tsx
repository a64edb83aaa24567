/** Metrics and relations of both sides, with corrected p-values. */

import { Amount, amount, DataTable, Empty, Panel, Status } from "../parts";
import type { Column } from "../parts";
import { chance } from "./bands";
import type { MetricComparison, RelationComparison, Verdict } from "./types";

interface MetricRow extends MetricComparison {
  readonly name: string;
}

interface RelationRow extends RelationComparison {
  readonly name: string;
}

const METRICS: readonly Column<MetricRow>[] = [
  { name: "name", title: "Metric", head: true, by: (row) => row.name, cell: (row) => row.name },
  { name: "better", title: "Better is", cell: (row) => (row.higher_is_better ? "higher" : "lower") },
  { name: "baseline", title: "Baseline, median", numeric: true, cell: (row) => <Amount value={row.baseline.median} /> },
  { name: "candidate", title: "Candidate, median", numeric: true, cell: (row) => <Amount value={row.candidate.median} /> },
  { name: "delta", title: "Change", numeric: true, cell: (row) => <Delta row={row} /> },
  { name: "p-better", title: "p-value of “no better”", numeric: true, cell: (row) => chance(row.p_better) },
  { name: "p-worse", title: "p-value of “no worse”", numeric: true, cell: (row) => chance(row.p_worse) },
];

const RELATIONS: readonly Column<RelationRow>[] = [
  { name: "name", title: "Relation", head: true, by: (row) => row.name, cell: (row) => row.name },
  { name: "n", title: "Cases", numeric: true, cell: (row) => <Amount value={row.n} /> },
  { name: "baseline", title: "Violated by the baseline", numeric: true, cell: (row) => <Amount value={row.baseline_violations} /> },
  { name: "candidate", title: "Violated by the candidate", numeric: true, cell: (row) => <Violated count={row.candidate_violations} /> },
  { name: "p", title: "p-value of “no worse”", numeric: true, cell: (row) => chance(row.p_worse) },
];

/** The change: a factor for a ratio, a signed number for a difference. */
function Delta({ row: { kind, delta } }: { row: MetricRow }) {
  const said = amount(delta.estimate);
  return <>{kind === "ratio" ? `× ${said}` : delta.estimate > 0 ? `+${said}` : said}</>;
}

function Violated({ count }: { count: number }) {
  return <Status of="check" value={count === 0 ? "ok" : "failed"} label={String(count)} />;
}

const rowsOf = <T,>(table: Record<string, T>): (T & { name: string })[] =>
  Object.entries(table).map(([name, each]) => ({ ...each, name }));

export function StatisticsPanel({ verdict }: { verdict: Verdict }) {
  const metrics = rowsOf(verdict.metrics);
  const relations = rowsOf(verdict.relations);
  return (
    <Panel name="statistics" title="Statistics" note="p-values are corrected for the number of comparisons.">
      {metrics.length + relations.length === 0 && <Empty title="No metrics or relations were compared" />}
      {metrics.length > 0 && <DataTable caption="Metrics" columns={METRICS} rows={metrics} keyOf={(row) => row.name} />}
      {relations.length > 0 && (
        <DataTable caption="Relations" columns={RELATIONS} rows={relations} keyOf={(row) => row.name} />
      )}
    </Panel>
  );
}
