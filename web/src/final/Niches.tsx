import { Code, Name, Panel } from "../parts";
import type { Proof } from "../candidate/wire";
import { Link } from "../shell/router";
import { pagePath } from "../wire/api";

type Niche = Proof["niches"][number];

/** The result of each niche, for a run with several niches. */
export function Niches({ niches, run, file }: { niches: readonly Niche[]; run: string; file: string | null }) {
  return (
    <Panel name="niches" title="Niches" note="Each niche has its own champion. The panels below show the champion of the first niche that has one.">
      <div className="stack">
        {niches.map((niche) => (
          <OfNiche key={niche.niche} niche={niche} page={pagePath(run, file)} />
        ))}
      </div>
    </Panel>
  );
}

function OfNiche({ niche: { niche, said, state, champion_id: champion, text }, page }: { niche: Niche; page: string }) {
  return (
    <div className="stack" data-value="niche-proof" data-raw={niche}>
      <h3>
        <Name of={niche} />
      </h3>
      <p data-value="niche-said" data-raw={state}>
        {said}
      </p>
      {champion !== null && (
        <p>
          <Link to={`${page}?candidate=${encodeURIComponent(champion)}`}>Inspect the champion</Link>
        </p>
      )}
      {text !== null && <Code source={text.source} language={text.language} label={`Champion of ${niche}`} />}
    </div>
  );
}
