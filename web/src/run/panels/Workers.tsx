/** What every operation in flight is doing right now. */

import type { Operation } from "../../history";
import { duration } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Empty } from "../../parts/states";
import { usePresent } from "../hooks/useNow";
import type { PanelProps, RunView } from "../view";
import { CandidateLink } from "./CandidateLink";

const KINDS: Readonly<Record<string, string>> = {
  vary: "Varying",
  express: "Expressing",
  repair: "Repairing",
  examine: "Examining",
  challenge: "Challenging the champion",
  adopt: "Adopting",
  revoke: "Revoking",
  wait: "Waiting",
};

/** What is done there; nobody is challenged before there is a champion. */
function kindText(kind: string, { moment }: RunView): string {
  if (kind === "challenge" && moment.champions.size === 0) return "Before the gate";
  return KINDS[kind] ?? kind;
}

export function Workers({ view }: PanelProps) {
  const { inFlight, run } = view.moment;
  const slots = typeof view.config?.slots === "number" ? view.config.slots : null;
  const now = usePresent(view);
  const kinds = [...new Set(inFlight.map(({ kind }) => kind))];
  return (
    <Panel
      name="workers"
      title="At work"
      actions={
        <span>
          <strong data-value="in_flight" data-raw={inFlight.length}>
            {inFlight.length}
          </strong>{" "}
          in flight{slots === null ? "" : `, ${slots} slots`}
        </span>
      }
    >
      {inFlight.length === 0 && <Empty title={run.over ? "The run is over: nobody is at work." : "Nothing is in flight at this moment."} />}
      {kinds.map((kind) => (
        <Kind key={kind} kind={kind} view={view} operations={inFlight.filter((each) => each.kind === kind)} now={now} />
      ))}
    </Panel>
  );
}

interface KindProps extends PanelProps {
  readonly kind: string;
  readonly operations: readonly Operation[];
  readonly now: number;
}

function Kind({ kind, operations, view, now }: KindProps) {
  return (
    <div className="worker-kind" data-kind={kind}>
      <h3>
        {kindText(kind, view)} <span className="run-count">{operations.length}</span>
      </h3>
      <ul className="worker-list">
        {operations.map((operation) => (
          <Worker key={operation.id} view={view} operation={operation} now={now} />
        ))}
      </ul>
    </div>
  );
}

function Worker({ view, operation, now }: PanelProps & { operation: Operation; now: number }) {
  const { step, operator, subjects, parents, attempt, startedAt, why } = operation;
  const since = startedAt === null ? null : Math.max(0, now - Date.parse(startedAt));
  const about = subjects.length > 0 ? subjects : parents;
  return (
    <li className="worker" data-operation={operation.id}>
      <span className="worker-beat" aria-hidden="true">
        ▶
      </span>
      <span className="worker-step">
        <code>{step}</code>
        {operator !== null && (
          <>
            {" "}
            by <em>{operator}</em>
          </>
        )}
        {about.length > 0 && (subjects.length > 0 ? " on " : " of ")}
        {about.slice(0, 4).map((id) => (
          <CandidateLink key={id} view={view} id={id} />
        ))}
        {attempt > 1 && <span className="worker-attempt">attempt {attempt}</span>}
        {why !== null && why !== "" && <span className="worker-why">{why}</span>}
      </span>
      <span className="worker-for">{since === null ? "" : duration(Math.floor(since / 100) * 100)}</span>
    </li>
  );
}
