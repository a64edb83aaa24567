import { ButtonLink, Empty } from "../../parts";
import { Link, useQuery } from "../../shell/router";

/** The empty list, with first steps. */
export function NoRuns() {
  return (
    <Empty title="No runs yet">
      <div className="runs-first">
        <p>
          A run breeds a better version of something that can be judged, and records every step in a log. A first run takes
          half a minute and needs no API key:
        </p>
        <ol>
          <li>
            <Link to="/launch?domain=programs">Launch one here</Link>: paste a Python function or use an example.
          </li>
          <li>
            Or in a terminal: <code>mendel evolve examples/bad_sort.py:sort --seconds 20</code>
          </li>
          <li>
            Or <Link to="/open">open an exported run</Link> from a file.
          </li>
        </ol>
        <ButtonLink to="/launch" kind="primary">
          Launch the first run
        </ButtonLink>
      </div>
    </Empty>
  );
}

export function NothingFits() {
  const { params } = useQuery();
  const kept = params.get("compare");
  return (
    <Empty title="No run matches the filters">
      <p>
        Try other words, another status or another domain. <Link to={kept ? `/?compare=${kept}` : "/"}>Show all runs</Link>
      </p>
    </Empty>
  );
}
