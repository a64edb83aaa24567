/** The operations in flight, grouped by kind. */

import { wordsFor } from "../../domains";
import type { Operation } from "../../history";
import { duration } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Empty } from "../../parts/states";
import type { DomainInfo } from "../../wire/types";
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

const EXAMINATIONS: Readonly<Record<string, string>> = { review: "Judging", novelty: "Comparing" };

/** Operations of one kind; examinations are further grouped by role, if their domain declares it. */
interface Group {
  readonly kind: string;
  readonly role: string | null;
  readonly operations: readonly Operation[];
}

function groupsOf(inFlight: readonly Operation[], domain: DomainInfo | null): Group[] {
  const found = new Map<string, { kind: string; role: string | null; operations: Operation[] }>();
  for (const operation of inFlight) {
    const { kind } = operation;
    const role = kind === "examine" ? (wordsFor(domain, operation.step)?.role ?? "check") : null;
    const group = found.get(`${kind} ${role}`) ?? { kind, role, operations: [] };
    found.set(`${kind} ${role}`, group);
    group.operations.push(operation);
  }
  return [...found.values()];
}

/** The title of a group; without a champion there is nothing to challenge. */
function groupText({ kind, role }: Group, { moment }: RunView): string {
  if (kind === "challenge" && moment.champions.size === 0) return "Gate evaluation";
  return EXAMINATIONS[role ?? ""] ?? KINDS[kind] ?? kind;
}

export function Workers({ view }: PanelProps) {
  const { inFlight, run } = view.moment;
  const slots = typeof view.config?.slots === "number" ? view.config.slots : null;
  const now = usePresent(view);
  return (
    <Panel
      name="workers"
      title="Operations in flight"
      actions={
        <span>
          <strong data-value="in_flight" data-raw={inFlight.length}>
            {inFlight.length}
          </strong>{" "}
          in flight{slots === null ? "" : `, ${slots} slots`}
        </span>
      }
    >
      {inFlight.length === 0 && <Empty title={run.over ? "The run has ended; no worker is busy." : "No operation is in flight."} />}
      {groupsOf(inFlight, view.domain).map((group) => (
        <Kind key={`${group.kind} ${group.role}`} group={group} view={view} now={now} />
      ))}
    </Panel>
  );
}

interface KindProps extends PanelProps {
  readonly group: Group;
  readonly now: number;
}

function Kind({ group, view, now }: KindProps) {
  const { kind, role, operations } = group;
  return (
    <div className="worker-kind" data-kind={kind} data-role={role ?? undefined}>
      <h3>
        {groupText(group, view)} <span className="run-count">{operations.length}</span>
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
  const words = wordsFor(view.domain, step);
  const since = startedAt === null ? null : Math.max(0, now - Date.parse(startedAt));
  const about = subjects.length > 0 ? subjects : parents;
  return (
    <li className="worker" data-operation={operation.id} data-step={step}>
      <span className="worker-beat" aria-hidden="true">
        ▶
      </span>
      <span className="worker-step">
        {words === null ? <code>{step}</code> : <span title={step}>{words.word}</span>}
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
