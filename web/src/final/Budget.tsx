import type { Proof } from "../candidate/wire";
import { Figure, Figures, Meter, Panel } from "../parts";
import type { RunConfig } from "../wire/types";

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;

/** What all challenges together spent of the chance of a mistake that the run may have. */
export function Budget({ proof: { budget }, config }: { proof: Proof; config: RunConfig | null }) {
  const before = typeof config?.challenges_before === "number" ? config.challenges_before : 0;
  return (
    <Panel
      name="budget"
      title="Error budget"
      note="Of all runs like this one, at most so large a share may adopt something by mistake. Each challenge spends a part of it."
    >
      <div className="stack">
        <Figures>
          <Figure label="Budget" name="budget-alpha" raw={budget.alpha}>
            {budget.alpha === null ? "–" : percent(budget.alpha)}
          </Figure>
          <Figure label="Spent" name="budget-spent" raw={budget.spent}>
            {percent(budget.spent)}
          </Figure>
          <Figure label="Challenges" name="budget-challenges" raw={budget.challenges} note={before > 0 ? `after ${before} of earlier runs` : undefined}>
            {budget.challenges}
          </Figure>
        </Figures>
        <Meter value={budget.spent} of={budget.alpha} label="Error budget spent" />
      </div>
    </Panel>
  );
}
