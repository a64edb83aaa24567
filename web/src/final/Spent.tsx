import type { Proof } from "../candidate/wire";
import { Amount, Duration, Figure, Figures, Money, Panel } from "../parts";
import { secondsOf } from "../runs/compare/curves";
import type { RunDetail } from "../wire/types";

/** What the whole run took. */
export function Spent({ proof, run }: { proof: Proof; run: RunDetail }) {
  const seconds = secondsOf(run);
  return (
    <Panel name="spent" title={proof.over ? "What it took" : "What it took so far"} note="All of the run, failures too.">
      <Figures>
        <Figure label="Energy" name="energy" raw={run.energy_spent} note={proof.winner === null ? undefined : `${proof.winner.energy.toLocaleString("en")} of it about the winner`}>
          <Amount value={run.energy_spent} />
        </Figure>
        <Figure label="Cost" name="cost" raw={run.cost_microusd} note={run.model_calls === 0 ? "no model was asked" : `${run.model_calls.toLocaleString("en")} calls`}>
          <Money microusd={run.cost_microusd} />
        </Figure>
        <Figure label="Candidates" name="candidates" raw={run.candidates} note={`${run.scored.toLocaleString("en")} scored`}>
          <Amount value={run.candidates} />
        </Figure>
        <Figure label="Time" name="seconds" raw={seconds}>
          <Duration ms={seconds === null ? null : seconds * 1000} />
        </Figure>
      </Figures>
    </Panel>
  );
}
