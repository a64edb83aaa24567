import { explanationOf } from "../candidate/explanation";
import type { Proof } from "../candidate/wire";
import { Empty, Panel, Shape, ShortId } from "../parts";
import { Link } from "../shell/router";
import { pagePath } from "../wire/api";
import type { RunDetail } from "../wire/types";
import { lineOf } from "./line";
import type { Link as Step } from "./line";

/** The line of descent from the founder to the winner, one operator per step. */
export function Line({ proof, run, file }: { proof: Proof; run: RunDetail; file: string | null }) {
  const line = lineOf(explanationOf(proof.winner?.explanation));
  const steps = Math.max(0, line.length - 1);
  return (
    <Panel
      name="line"
      title="From founder to winner"
      note={`${steps} ${steps === 1 ? "step" : "steps"}, as recorded in the log. Only the ancestors of the winner are shown.`}
      actions={<Link to={pagePath(run.run_id, file)}>Show the whole lineage</Link>}
    >
      {line.length === 0 ? (
        <Empty title="No lineage">The log does not contain the winner's ancestors.</Empty>
      ) : (
        <ol className="final-line" data-value="line" data-raw={line.length}>
          {line.map((step, index) => (
            <LineStep key={step.genomeId} step={step} last={index === line.length - 1} winner={proof.winner?.candidate_id ?? null} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function LineStep({ step, last, winner }: { step: Step; last: boolean; winner: string | null }) {
  return (
    <li className={last ? "final-step final-step-last" : "final-step"}>
      <span className="final-dot">
        <Shape shape={last ? "star" : step.operator === null ? "ring" : "diamond"} />
      </span>
      <div>
        <p>
          <strong>{step.operator ?? "founder"}</strong> <span className="muted">birth {step.birth}</span>{" "}
          {last && winner !== null ? <code>{winner}</code> : <ShortId id={step.genomeId} />}
        </p>
        {step.note !== "" && <p className="inspect-note">{step.note}</p>}
        {step.why !== "" && <p className="muted small">{step.why}</p>}
        {step.others.length > 0 && (
          <p className="muted small">
            also from{" "}
            {step.others.map((other) => (
              <ShortId key={other} id={other} />
            ))}
          </p>
        )}
      </div>
    </li>
  );
}
