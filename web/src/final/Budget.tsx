import type { Proof } from "../candidate/wire";
import { Figure, Figures, Meter, Name, Panel } from "../parts";

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;

/** The error budget of each niche, a bound on the chance of any wrong adoption in it, and the share its challenges spent. */
export function Budget({ proof: { niches } }: { proof: Proof }) {
  return (
    <Panel
      name="budget"
      title="Error budget"
      note="The budget bounds the chance that a run makes any wrong adoption in a niche. Each challenge spends a part of it."
    >
      <div className="stack">
        {niches.map((niche) => (
          <OfNiche key={niche.niche} niche={niche} alone={niches.length < 2} />
        ))}
      </div>
    </Panel>
  );
}

function OfNiche({ niche: { niche, alpha, spent, challenges, before }, alone }: { niche: Proof["niches"][number]; alone: boolean }) {
  return (
    <div className="stack" data-value="niche" data-raw={niche}>
      {!alone && (
        <h3>
          <Name of={niche} />
        </h3>
      )}
      <Figures>
        <Figure label="Budget" name="budget-alpha" raw={alpha}>
          {alpha === null ? "–" : percent(alpha)}
        </Figure>
        <Figure label="Spent" name="budget-spent" raw={spent}>
          {percent(spent)}
        </Figure>
        <Figure label="Challenges" name="budget-challenges" raw={challenges} note={before > 0 ? `after ${before} in earlier runs` : undefined}>
          {challenges}
        </Figure>
      </Figures>
      <Meter value={spent} of={alpha} label="Error budget spent" />
    </div>
  );
}
