import type { ReactNode } from "react";

import { Amount, Banner, Duration, Figure, Figures, Money, Panel } from "../../parts";
import type { Problem } from "../../wire/problem";
import type { Estimate } from "../../wire/types";
import type { Estimated } from "./useEstimate";

interface WorstCaseProps {
  estimate: Estimated;
  ready: boolean;
  /** Why the run is refused, if it is; `beside`: whether there is more to it than stands in the fields. */
  problem: Problem | null;
  beside: boolean;
  children: ReactNode;
}

/** What the run can take at worst, beside the button that begins it. */
export function WorstCase({ estimate: { data, loading }, ready, problem, beside, children }: WorstCaseProps) {
  return (
    <Panel name="worst-case" title="At worst" note="Caps end the run there, whatever happens.">
      <div className="stack">
        <div aria-live="polite" aria-busy={loading}>
          {data !== null && <Worst data={data} />}
          {problem !== null && (beside ? <Refused problem={problem} /> : <p className="field-error">{SEE}</p>)}
          {data === null && problem === null && (
            <p className="muted">{ready ? "Working it out …" : "Fill in what is needed, and the worst case is shown here."}</p>
          )}
        </div>
        {children}
      </div>
    </Panel>
  );
}

const SEE = "It cannot begin so: see what stands beside the fields.";

function Refused({ problem }: { problem: Problem }) {
  return (
    <Banner kind="bad" title={problem.unreachable ? problem.title : "It cannot begin so"} name="refused">
      {problem.detail} {problem.hint}
    </Banner>
  );
}

function Worst({ data }: { data: Estimate }) {
  return (
    <div className="stack">
      <Figures>
        <Figure label="Cost" name="worst-cost" raw={data.cost_microusd} note={data.model_calls === 0 ? undefined : `${data.model_calls.toLocaleString("en")} calls`}>
          <Money microusd={data.cost_microusd} />
        </Figure>
        <Figure label="Time" name="worst-time" raw={data.wall_clock_ms}>
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
