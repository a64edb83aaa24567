import type { ReactNode } from "react";

import { Amount, Banner, Duration, Figure, Figures, Money, Panel } from "../../parts";
import type { Estimate } from "../../wire/types";
import type { Estimated } from "./useEstimate";

interface WorstCaseProps {
  estimate: Estimated;
  ready: boolean;
  children: ReactNode;
}

/** What the run can take at worst, beside the button that begins it. */
export function WorstCase({ estimate: { data, problem, loading }, ready, children }: WorstCaseProps) {
  return (
    <Panel name="worst-case" title="At worst" note="Caps end the run there, whatever happens.">
      <div className="stack">
        <div aria-live="polite" aria-busy={loading}>
          {data !== null && <Worst data={data} />}
          {data === null && problem !== null && (
            <Banner kind="warn" title={problem.title}>
              {problem.detail} {problem.hint}
            </Banner>
          )}
          {data === null && problem === null && (
            <p className="muted">{ready ? "Working it out …" : "Fill in what is needed, and the worst case is shown here."}</p>
          )}
        </div>
        {children}
      </div>
    </Panel>
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
