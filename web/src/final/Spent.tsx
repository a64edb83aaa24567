import type { Proof } from "../candidate/wire";
import { Amount, Duration, Figure, Figures, Money, Panel } from "../parts";
import { secondsOf } from "../runs/compare/curves";
import type { RunDetail } from "../wire/types";

/** The resources that the whole run used. */
export function Spent({ proof, run }: { proof: Proof; run: RunDetail }) {
  const seconds = secondsOf(run);
  return (
    <Panel name="spent" title={proof.over ? "Resources used" : "Resources used so far"} note="The whole run, including failures.">
      <Figures>
        <Figure
          label="Energy"
          name="energy"
          raw={run.energy_spent}
          note={proof.winner === null ? undefined : `${proof.winner.energy.toLocaleString("en")} of it for the winner`}
        >
          <Amount value={run.energy_spent} />
        </Figure>
        <Figure
          label="Cost"
          name="cost"
          raw={run.cost_microusd}
          note={run.model_calls === 0 ? "no model calls" : `${run.model_calls.toLocaleString("en")} model calls`}
        >
          <Money microusd={run.cost_microusd} />
        </Figure>
        <Figure label="Candidates" name="candidates" raw={run.candidates} note={`${run.scored.toLocaleString("en")} scored`}>
          <Amount value={run.candidates} />
        </Figure>
        <Figure label="Duration" name="seconds" raw={seconds}>
          <Duration ms={seconds === null ? null : seconds * 1000} />
        </Figure>
      </Figures>
    </Panel>
  );
}
