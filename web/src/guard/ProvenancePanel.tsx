/** The provenance of a decision: sandbox, hashes, seeds and versions. */

import { Panel } from "../parts";
import type { GuardReport } from "./types";

export function ProvenancePanel({ report }: { report: GuardReport }) {
  const { sandbox, seeds, versions, ...hashes } = report.verdict.provenance;
  const facts: [string, string][] = [
    ["Sandbox", `${sandbox.tier}${sandbox.backend === "" ? "" : `, ${sandbox.backend}`}${sandbox.weakened ? ", weakened" : ""}`],
    ["Sandbox layers", sandbox.layers.join(", ")],
    ["Missing sandbox layers", listed(sandbox.missing)],
    ["Hash of the task", hashes.spec_hash],
    ["Hash of the candidate", hashes.candidate_hash],
    ["Hash of the baseline", hashes.baseline_hash ?? ""],
    ["Seeds", listed(seeds)],
    ["Versions", listed(versions)],
    ["Platform", hashes.platform],
    ["Niche", report.verdict.challenge.niche],
  ];
  return (
    <Panel name="provenance" title="Provenance" note="Everything needed to reproduce the decision.">
      <dl className="guard-facts">
        {facts
          .filter(([, told]) => told !== "")
          .map(([name, told]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono guard-long">{told}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  );
}

function listed(table: Readonly<Record<string, string | number>>): string {
  return Object.entries(table)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
