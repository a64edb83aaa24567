/** The verdict that adopted the winner, and the audit after it. */

import { EvidenceList } from "../candidate/EvidenceList";
import { GateVerdict } from "../candidate/Verdicts";
import type { Detail, EvidenceItem, Proof } from "../candidate/wire";
import { Amount, ButtonLink, Figure, Figures, Panel, Status } from "../parts";
import { pagePath } from "../wire/api";
import type { RunDetail } from "../wire/types";

export function ProofPanel({ proof: { verdict, winner } }: { proof: Proof }) {
  const words = winner?.verdicts.filter(({ what }) => what !== "verdict") ?? [];
  return (
    <Panel name="proof" title="The proof" note="The gate's measurements on held-out cases. The required range is shaded.">
      <div className="stack">
        {verdict === null ? <p>The winner was adopted by a verdict of an earlier run.</p> : <GateVerdict item={verdict} />}
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
    <Panel name="audit" title="Audit" note="The audit does not influence selection.">
      <EvidenceList evidence={[audit]} />
    </Panel>
  );
}

/** The best scored candidate, shown as unproven: its score comes from the search, not from the gate. */
export function Unproven({ best, run, file }: { best: Detail; run: RunDetail; file: string | null }) {
  return (
    <Panel
      name="unproven"
      title="Best candidate of the search, unproven"
      note="A search score is no proof: it was measured on the cases that selection used."
      actions={
        <ButtonLink to={`${pagePath(run.run_id, file)}?candidate=${encodeURIComponent(best.candidate_id)}`}>Inspect the candidate</ButtonLink>
      }
    >
      <Figures>
        <Figure label="Candidate" name="best-candidate" raw={best.candidate_id}>
          <code>{best.candidate_id}</code>
        </Figure>
        <Figure label="Fitness" name="best-fitness" raw={best.fitness?.total}>
          <Amount value={best.fitness?.total ?? null} />
        </Figure>
        <Figure label="Gate decisions" name="best-decisions">
          {best.verdicts.filter(({ what }) => what === "verdict").map(({ decision, sequence }) => (
            <Status key={sequence} of="decision" value={decision} />
          ))}
          {best.verdicts.length === 0 && "not judged"}
        </Figure>
      </Figures>
    </Panel>
  );
}
