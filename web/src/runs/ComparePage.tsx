/** `/compare?runs=a,b`: several runs side by side. */

import { Suspense, useMemo } from "react";
import { lazily } from "../parts/lazily";

import { Banner, Button, Empty, Failed, Loading, Panel } from "../parts";
import { Link, useQuery } from "../shell/router";
import { useTitle } from "../shell/useTitle";
import { chosenOf, MOST_COMPARED } from "./filter";
import { differingTraits } from "./compare/comparable";
import { ConfigTable } from "./compare/ConfigTable";
import { FigureTable } from "./compare/FigureTable";
import { OVERS } from "./compare/curves";
import type { Over } from "./compare/curves";
import { useCompared } from "./compare/useCompared";
import type { Compared } from "./compare/useCompared";
import "./compare/compare.css";

const CurveChart = lazily(() => import("./compare/CurveChart"));

export default function ComparePage() {
  useTitle("Compare runs");
  const { params } = useQuery();
  const asked = chosenOf(params.get("runs"));
  const wanted = asked.slice(0, MOST_COMPARED);
  const { runs, problems, loading } = useCompared(wanted);
  return (
    <div className="stack" data-panel="compare">
      <header className="page-head compare-head">
        <div>
          <h1>Compare runs</h1>
          <p className="muted">
            <span data-value="compared">{wanted.length}</span> runs. The configuration table shows only differences.
          </p>
        </div>
        <Link to={`/?compare=${wanted.join(",")}`}>Choose other runs</Link>
      </header>
      {asked.length > wanted.length && <Banner kind="warn">Only the first {MOST_COMPARED} are compared.</Banner>}
      {problems.map(({ runId, problem }) => (
        <Failed key={runId} problem={problem} about={runId} />
      ))}
      {wanted.length === 0 && <Empty title="No runs chosen">Choose two or more in <Link to="/">the list of runs</Link>.</Empty>}
      {loading && runs.length === 0 && <Loading what="the runs" />}
      {runs.length > 0 && <Shown runs={runs} />}
    </div>
  );
}

function Shown({ runs }: { runs: readonly Compared[] }) {
  const differing = useMemo(() => differingTraits(runs.map(({ run }) => run)), [runs]);
  return (
    <>
      {differing.length > 0 && (
        <Banner kind="info" title="These runs are not comparable" name="incomparable">
          They differ in {listed(differing)}, so their figures mean different things. No figure is marked as best.
        </Banner>
      )}
      <Curves runs={runs} />
      <FigureTable runs={runs} comparable={differing.length === 0} />
      <ConfigTable runs={runs} />
    </>
  );
}

const listed = (names: readonly string[]): string => new Intl.ListFormat("en").format(names);

function Curves({ runs }: { runs: readonly Compared[] }) {
  const { get, set } = useQuery();
  const asked = get("over", "scored");
  const over: Over = asked in OVERS ? (asked as Over) : "scored";
  return (
    <Panel
      name="curves"
      title="Best so far"
      actions={
        <div className="row" role="group" aria-label="Horizontal axis">
          {Object.entries(OVERS).map(([name, label]) => (
            <Button key={name} kind="quiet" aria-pressed={name === over} className="compare-over" onClick={() => set({ over: name === "scored" ? null : name })}>
              {label}
            </Button>
          ))}
        </div>
      }
    >
      <Suspense fallback={<Loading what="the chart" />}>
        <CurveChart runs={runs} over={over} />
      </Suspense>
    </Panel>
  );
}
