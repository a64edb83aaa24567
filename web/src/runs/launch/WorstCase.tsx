import type { ReactNode } from "react";

import { Amount, Banner, Duration, Figure, Figures, Money, Panel } from "../../parts";
import type { Problem } from "../../wire/problem";
import type { Estimate } from "../../wire/types";
import type { Estimated } from "./useEstimate";

interface WorstCaseProps {
  estimate: Estimated;
  ready: boolean;
  /** Why the run is rejected, if it is; `beside`: whether the fields do not already show all of it. */
  problem: Problem | null;
  beside: boolean;
  children: ReactNode;
}

/** The worst-case usage of the run, next to the launch button. */
export function WorstCase({ estimate: { data, loading }, ready, problem, beside, children }: WorstCaseProps) {
  return (
    <Panel name="worst-case" title="Worst case" note="The run's caps guarantee that it uses no more.">
      <div className="stack">
        <div aria-live="polite" aria-busy={loading}>
          {data !== null && <Worst data={data} />}
          {problem !== null && (beside ? <Refused problem={problem} /> : <p className="field-error">{SEE}</p>)}
          {data === null && problem === null && (
            <p className="muted">
              {ready ? "Computing …" : "Some fields are missing or invalid. Complete them to see the worst case and to launch."}
            </p>
          )}
        </div>
        {children}
      </div>
    </Panel>
  );
}

const SEE = "The run cannot start: see the messages at the fields.";

function Refused({ problem }: { problem: Problem }) {
  return (
    <Banner kind="bad" title={problem.unreachable ? problem.title : "The run cannot start"} name="refused">
      {problem.detail} {problem.hint}
    </Banner>
  );
}

function Worst({ data }: { data: Estimate }) {
  return (
    <div className="stack">
      <Figures>
        <Figure label="Cost" name="worst-cost" raw={data.cost_microusd} note={data.model_calls === 0 ? undefined : `${data.model_calls.toLocaleString("en")} model calls`}>
          <Money microusd={data.cost_microusd} />
        </Figure>
        <Figure label="Wall clock" name="worst-time" raw={data.wall_clock_ms}>
          <Duration ms={data.wall_clock_ms} />
        </Figure>
        <Figure label="Energy" name="worst-energy" raw={data.energy}>
          <Amount value={data.energy} />
        </Figure>
        <Figure label="Tokens" name="worst-tokens" raw={data.tokens}>
          <Amount value={data.tokens} />
        </Figure>
      </Figures>
      {data.notes.length > 0 && (
        <ul className="launch-notes muted small">
          {data.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
