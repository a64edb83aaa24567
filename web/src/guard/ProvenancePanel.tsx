/** What the decision was made from: walls, hashes, seeds, versions. */

import { Panel } from "../parts";
import type { GuardReport } from "./types";

export function ProvenancePanel({ report }: { report: GuardReport }) {
  const { sandbox, seeds, versions, ...hashes } = report.verdict.provenance;
  const facts: [string, string][] = [
    ["Sandbox", `${sandbox.tier}${sandbox.backend === "" ? "" : `, ${sandbox.backend}`}${sandbox.weakened ? ", weakened" : ""}`],
    ["Walls", sandbox.layers.join(", ")],
    ["Missing walls", listed(sandbox.missing)],
    ["Task", hashes.spec_hash],
    ["Candidate", hashes.candidate_hash],
    ["Baseline", hashes.baseline_hash ?? ""],
    ["Seeds", listed(seeds)],
    ["Versions", listed(versions)],
    ["Platform", hashes.platform],
    ["Niche", report.verdict.challenge.niche],
  ];
  return (
    <Panel name="provenance" title="Provenance" note="What is needed to see it again.">
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
