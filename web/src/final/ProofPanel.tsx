/** The verdict that let the winner in, and the audit after it. */

import { EvidenceList } from "../candidate/EvidenceList";
import { GateVerdict } from "../candidate/Verdicts";
import type { Detail, EvidenceItem, Proof } from "../candidate/wire";
import { Amount, ButtonLink, Figure, Figures, Panel, Status } from "../parts";
import { pagePath } from "../wire/api";
import type { RunDetail } from "../wire/types";

export function ProofPanel({ proof: { verdict, winner } }: { proof: Proof }) {
  const words = winner?.verdicts.filter(({ what }) => what !== "verdict") ?? [];
  return (
    <Panel name="proof" title="The proof" note="What the gate saw on held-out inputs; where the interval has to lie is shaded.">
      <div className="stack">
        {verdict === null ? <p>The verdict that let it in stands in an earlier run.</p> : <GateVerdict item={verdict} />}
        {words.length > 0 && (
          <p className="row" data-value="adoption" data-raw={words.at(-1)?.what}>
            {words.map(({ what, sequence }) => (
              <span key={sequence} className="row">
                <Status of="verdict" value={what} /> <span className="muted small">event {sequence}</span>
              </span>
            ))}
          </p>
        )}
      </div>
    </Panel>
  );
}

export function AuditPanel({ audit }: { audit: EvidenceItem }) {
  return (
    <Panel name="audit" title="Audit" note="It took no part in selection.">
      <EvidenceList evidence={[audit]} />
    </Panel>
  );
}

/** The best that was scored. It is shown as what it is: a number of the search, which nothing proves. */
export function Unproven({ best, run, file }: { best: Detail; run: RunDetail; file: string | null }) {
  return (
    <Panel
      name="unproven"
      title="The best of the search, unproven"
      note="A score of the search is no proof: it was measured on what the search saw."
      actions={
        <ButtonLink to={`${pagePath(run.run_id, file)}?candidate=${encodeURIComponent(best.candidate_id)}`}>Inspect it</ButtonLink>
      }
    >
      <Figures>
        <Figure label="Candidate" name="best-candidate" raw={best.candidate_id}>
          <code>{best.candidate_id}</code>
        </Figure>
        <Figure label="Fitness" name="best-fitness" raw={best.fitness?.total}>
          <Amount value={best.fitness?.total ?? null} />
        </Figure>
        <Figure label="Before the gate" name="best-decisions">
          {best.verdicts.filter(({ what }) => what === "verdict").map(({ decision, sequence }) => (
            <Status key={sequence} of="decision" value={decision} />
          ))}
          {best.verdicts.length === 0 && "never"}
        </Figure>
      </Figures>
    </Panel>
  );
}
