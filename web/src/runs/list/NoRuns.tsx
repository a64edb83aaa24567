import { ButtonLink, Empty } from "../../parts";
import { Link, useQuery } from "../../shell/router";

/** Nobody has run anything: what to do first. */
export function NoRuns() {
  return (
    <Empty title="No run yet">
      <div className="runs-first">
        <p>
          A run breeds a better version of something that can be judged, and keeps every step in a log. The first one takes
          half a minute and needs no key:
        </p>
        <ol>
          <li>
            <Link to="/launch?domain=programs">Launch one here</Link>: paste a Python function, or take an example.
          </li>
          <li>
            Or in a terminal: <code>mendel evolve examples/bad_sort.py:sort --seconds 20</code>
          </li>
          <li>
            Or <Link to="/open">open an exported run</Link> that somebody gave you.
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
    <Empty title="No run fits">
      <p>
        Other words, another status or domain may. <Link to={kept ? `/?compare=${kept}` : "/"}>Show all runs</Link>
      </p>
    </Empty>
  );
}
