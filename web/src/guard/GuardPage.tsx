/** Decisions of the gate: reports of `mendel guard evaluate`, and the verdicts of all runs. */

import { DataTable, Empty, Loads, Name, Panel, SelectField, ShortId, Status, Time, Value } from "../parts";
import type { Column } from "../parts";
import { Link, navigate, useQuery, withQuery } from "../shell/router";
import { pagePath } from "../wire/api";
import { useLoaded } from "../wire/useLoaded";
import { guardApi } from "./api";
import type { GuardList, GuardRow } from "./types";
import "./guard.css";

type Source = GuardRow["source"];

const DECISIONS = [
  { value: "", label: "all decisions" },
  { value: "adopt", label: "adopted" },
  { value: "reject", label: "rejected" },
  { value: "undecided", label: "undecided" },
];

const pageOf = (row: GuardRow): string => `/guard/${encodeURIComponent(row.id)}`;

const DECIDED: Column<GuardRow> = {
  name: "decision",
  title: "Decision",
  by: (row) => row.decision,
  cell: (row) => <Status of="decision" value={row.decision} />,
};
const CASES: Column<GuardRow> = { name: "n", title: "Cases", numeric: true, by: (row) => row.n, cell: (row) => row.n.toLocaleString("en") };

const REPORT_COLUMNS: readonly Column<GuardRow>[] = [
  { name: "what", title: "Task", head: true, by: (row) => row.what, cell: (row) => <Link to={pageOf(row)}><Name of={row.what || "unnamed"} /></Link> },
  DECIDED,
  { name: "mode", title: "Mode", by: (row) => row.mode, cell: (row) => row.mode },
  CASES,
  { name: "reason", title: "Why", wide: true, cell: (row) => <span className="guard-reason">{row.reason}</span> },
  { name: "at", title: "When", by: (row) => row.at, cell: (row) => <Time at={row.at} /> },
];

const RUN_COLUMNS: readonly Column<GuardRow>[] = [
  { name: "candidate", title: "Candidate", head: true, by: (row) => row.candidate_id, cell: (row) => <Candidate row={row} /> },
  DECIDED,
  { name: "mode", title: "Mode", by: (row) => row.mode, cell: (row) => row.mode },
  CASES,
  { name: "run", title: "Run", wide: true, by: (row) => row.what, cell: (row) => <InRun row={row} /> },
  { name: "report", title: "Verdict", cell: (row) => <Link to={pageOf(row)}>details</Link> },
];

function Candidate({ row }: { row: GuardRow }) {
  if (row.candidate_id === null || row.run_id === null) return <>–</>;
  return (
    <Link to={withQuery(pagePath(row.run_id), { candidate: row.candidate_id })}>
      <ShortId id={row.candidate_id} />
    </Link>
  );
}

function InRun({ row }: { row: GuardRow }) {
  if (row.run_id === null) return <>–</>;
  return (
    <>
      <Link to={pagePath(row.run_id)}><Name of={row.what || "unnamed"} /></Link> <ShortId id={row.run_id} />
    </>
  );
}

const PANELS: Readonly<Record<Source, { name: string; title: string; note: string; columns: readonly Column<GuardRow>[] }>> = {
  report: {
    name: "guard-reports",
    title: "Reports",
    note: "Made on request by mendel guard evaluate.",
    columns: REPORT_COLUMNS,
  },
  run: {
    name: "guard-verdicts",
    title: "Verdicts in runs",
    note: "A run adopts only through the gate. This table lists every challenge of every run.",
    columns: RUN_COLUMNS,
  },
};

export default function GuardPage() {
  const query = useQuery();
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Guard</h1>
        <SelectField
          label="Show"
          value={query.get("decision")}
          options={DECISIONS}
          onChange={(decision) => query.set({ decision })}
        />
      </div>
      <Decisions source="report" decision={query.get("decision")} />
      <Decisions source="run" decision={query.get("decision")} />
    </div>
  );
}

function Decisions({ source, decision }: { source: Source; decision: string }) {
  const { name, title, note, columns } = PANELS[source];
  const loaded = useLoaded(`${source} ${decision}`, (signal) => guardApi.list({ source, decision, limit: 500 }, { signal }), {
    every: 15_000,
  });
  return (
    <Panel name={name} title={title} note={note}>
      <Loads of={loaded} what={title.toLowerCase()}>
        {(list) => (
          <>
            <Counts list={list} />
            <DataTable
              caption={`${title}, newest first`}
              columns={columns}
              rows={list.reports}
              keyOf={(row) => row.id}
              onOpen={(row) => navigate(pageOf(row))}
              empty={<Nothing source={source} filtered={decision !== ""} />}
              most={100}
            />
          </>
        )}
      </Loads>
    </Panel>
  );
}

function Counts({ list }: { list: GuardList }) {
  if (list.total === 0) return null;
  const { adopt = 0, reject = 0, undecided = 0 } = list.decisions;
  return (
    <p>
      <Value name="total" raw={list.total}>
        {list.total} in total
      </Value>
      :{" "}
      <Value name="adopted" raw={adopt}>
        {adopt} adopted
      </Value>
      ,{" "}
      <Value name="rejected" raw={reject}>
        {reject} rejected
      </Value>
      ,{" "}
      <Value name="undecided" raw={undecided}>
        {undecided} undecided
      </Value>
    </p>
  );
}

function Nothing({ source, filtered }: { source: Source; filtered: boolean }) {
  if (filtered) return <Empty title="No decision matches the filter">Show all decisions to see the others.</Empty>;
  if (source === "run") return <Empty title="No run has had a challenge yet" />;
  return (
    <Empty title="No reports yet">
      <code>mendel guard evaluate --task top_k --candidate improved</code> judges a candidate and stores its report.
    </Empty>
  );
}
