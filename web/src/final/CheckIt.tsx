/** Commands that reproduce the result from the log. */

import type { ReactNode } from "react";

import type { Proof } from "../candidate/wire";
import { Copyable, Download, Panel } from "../parts";
import { exportName, RunApi } from "../wire/api";
import type { RunDetail } from "../wire/types";

export function CheckIt({ proof, run, file }: { proof: Proof; run: RunDetail; file: string | null }) {
  const { replay, digest } = proof;
  return (
    <Panel name="check" title="Check it yourself" note="Everything on this page is computed from the log, and you can compute it again.">
      <ol className="final-check">
        <Step title="Fold the log again">
          <Copyable text={replay.command} />
          <p className="muted small">Makes no external calls, and compares the result with what the run recorded.</p>
        </Step>
        <Step title="Verify the chain of hashes">
          <Copyable text={`mendel log verify ${run.run_id}`} />
          <p className="muted small">{replay.events.toLocaleString("en")} events, each with the hash of the previous one.</p>
        </Step>
        <Step title="Export the run">
          <p>
            <Download path={new RunApi(run.run_id, file).exportPath()} name={exportName(run.run_id)}>
              Download the run as a file
            </Download>{" "}
            <span className="muted small">Any Mendel server opens it read-only under “Open a file”.</span>
          </p>
        </Step>
      </ol>
      <dl className="final-digests">
        <Digest name="outcome-digest" label="Outcome digest" value={digest ?? replay.outcome_digest} />
        <Digest name="state-digest" label="State digest" value={replay.state_digest} />
        <Digest name="head-hash" label="Hash of the last event" value={replay.head_hash} />
      </dl>
    </Panel>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <h3>{title}</h3>
      {children}
    </li>
  );
}

function Digest({ name, label, value }: { name: string; label: string; value: string | null }) {
  if (value === null) return null;
  return (
    <div>
      <dt className="muted small">{label}</dt>
      <dd>
        <code data-value={name}>{value}</code>
      </dd>
    </div>
  );
}
