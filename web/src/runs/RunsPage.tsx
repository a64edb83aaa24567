/** `/`: all runs with their states, with filters and a choice of runs to compare. */

import { useQuery } from "../shell/router";
import { useTitle } from "../shell/useTitle";
import { Banner, Button, ButtonLink, Failed, Loading, Value } from "../parts";
import { TERMINAL } from "../wire/types";
import type { RunList } from "../wire/types";
import { askedOf, filterOf, isFiltered } from "./filter";
import type { RunFilter } from "./filter";
import { Chosen } from "./list/Chosen";
import { Filters } from "./list/Filters";
import { NoRuns, NothingFits } from "./list/NoRuns";
import { Pages } from "./list/Pages";
import { RunsTable } from "./list/RunsTable";
import { usePolled } from "./polling";
import type { Polled } from "./polling";
import "./runs.css";

const EVERY = 3_000;

export default function RunsPage() {
  useTitle("Runs");
  const { params } = useQuery();
  const filter = filterOf(params);
  const polled = usePolled<RunList>("/api/runs", askedOf(filter), EVERY);
  return (
    <div className="stack" data-panel="runs">
      <header className="page-head runs-head">
        <div>
          <h1>Runs</h1>
          <Tally polled={polled} filter={filter} />
        </div>
        <div className="row">
          <ButtonLink to="/launch" kind="primary">
            Launch a run
          </ButtonLink>
        </div>
      </header>
      <Shown polled={polled} filter={filter} />
    </div>
  );
}

function Tally({ polled, filter }: { polled: Polled<RunList>; filter: RunFilter }) {
  if (polled.data === null) return <p className="muted">&nbsp;</p>;
  const { total, runs } = polled.data;
  const going = runs.filter(({ status }) => status !== null && !TERMINAL.has(status)).length;
  return (
    <p className="muted" role="status">
      <Value name="runs-total" raw={total}>
        {total.toLocaleString("en")}
      </Value>{" "}
      {total === 1 ? "run" : "runs"}
      {isFiltered(filter) ? " that match the filters" : ""},{" "}
      <Value name="runs-going" raw={going}>
        {going}
      </Value>{" "}
      in progress
    </p>
  );
}

function Shown({ polled, filter }: { polled: Polled<RunList>; filter: RunFilter }) {
  const { data, problem, reload } = polled;
  if (data === null) return problem === null ? <Loading what="the runs" /> : <Failed problem={problem} retry={reload} />;
  const nothing = data.total === 0;
  return (
    <>
      {problem !== null && (
        <Banner kind="bad" title="The server does not respond" name="disconnected">
          The data shown may be out of date; the page retries every few seconds. {problem.hint}{" "}
          <Button onClick={reload}>Retry now</Button>
        </Banner>
      )}
      {nothing && !isFiltered(filter) ? (
        <NoRuns />
      ) : (
        <>
          <Filters filter={filter} runs={data.runs} />
          <Chosen />
          {nothing ? <NothingFits /> : <RunsTable runs={data.runs} fresh={problem === null} />}
          <Pages filter={filter} next={data.next} shown={data.runs.length} total={data.total} />
        </>
      )}
    </>
  );
}
