/** `/runs/:id/final`: what a run has proven, if anything, with everything needed to check it. */

import { DeclaredPanels } from "../declared/DeclaredPanels";
import { domainPage, useInstalled } from "../domains";
import { Banner, ButtonLink, Failed, Loading, Name, ShortId, Status } from "../parts";
import type { Proof } from "../candidate/wire";
import { usePolled } from "../runs/polling";
import { Link } from "../shell/router";
import { useTitle } from "../shell/useTitle";
import { pagePath, RunApi } from "../wire/api";
import type { Json, RunDetail } from "../wire/types";
import { BeforeAfter } from "./BeforeAfter";
import { Budget } from "./Budget";
import { CheckIt } from "./CheckIt";
import { Line } from "./Line";
import { Niches } from "./Niches";
import { outcomeOf } from "./outcome";
import { AuditPanel, ProofPanel, Unproven } from "./ProofPanel";
import { Spent } from "./Spent";
import "../candidate/candidate.css";
import "./final.css";

const EVERY = 5_000;

export default function FinalPage({ runId, file }: { runId: string; file: string | null }) {
  useTitle("Final proof");
  const { path } = new RunApi(runId, file);
  const proof = usePolled<Proof>(`${path}/final`, {}, EVERY);
  const run = usePolled<RunDetail>(path, {}, EVERY);
  const problem = proof.problem ?? run.problem;
  if (proof.data === null || run.data === null) {
    return problem === null ? <Loading what="the proof" /> : <Failed problem={problem} retry={proof.reload} />;
  }
  return <Shown proof={proof.data} run={run.data} file={file} stale={problem !== null} />;
}

interface ShownProps {
  proof: Proof;
  run: RunDetail;
  file: string | null;
  stale: boolean;
}

function Shown({ proof, run, file, stale }: ShownProps) {
  return (
    <div className="stack" data-panel="final">
      <Head run={run} file={file} />
      {stale && (
        <Banner kind="bad" title="The server does not respond" name="disconnected">
          The data shown may be out of date.
        </Banner>
      )}
      <Verdict proof={proof} run={run} file={file} />
      <Panels proof={proof} run={run} file={file} />
    </div>
  );
}

function Head({ run, file }: { run: RunDetail; file: string | null }) {
  const page = pagePath(run.run_id, file);
  return (
    <header className="page-head final-head">
      <div>
        <p className="muted small">
          Final proof · {domainPage(run.domain).title} · <ShortId id={run.run_id} />
          {file !== null && " · from a file"}
        </p>
        <h1>
          <Name of={run.problem ?? run.run_id} />
        </h1>
      </div>
      <div className="row">
        <Status of="run" value={run.status} />
        <ButtonLink to={page}>{file === null ? "Show the run" : "Show the run from the file"}</ButtonLink>
        <ButtonLink to={`${page}/replay`}>Show the replay</ButtonLink>
      </div>
    </header>
  );
}

/** The result in one sentence, with the reason, the caps reached and the revocations. */
function Verdict({ proof, run, file }: { proof: Proof; run: RunDetail; file: string | null }) {
  const { title, tone, ending } = outcomeOf(proof);
  return (
    <section className={`final-verdict final-${tone}`} aria-label="Result" data-value="ending" data-raw={ending}>
      <h2>{title}</h2>
      <p data-value="said">{proof.said}</p>
      {ending === "going" && (
        <p>
          <Link to={pagePath(run.run_id, file)}>Watch it live</Link>; this page shows the result once the run has ended.
        </p>
      )}
      {proof.reason !== null && !proof.said.includes(proof.reason) && <p className="muted">Reason for the end: {proof.reason}</p>}
      {proof.caps.map(({ cap, limit, used }) => (
        <p key={cap} className="muted">
          Cap reached: {cap.replaceAll("_", " ")}, {used.toLocaleString("en")} of {limit.toLocaleString("en")}
        </p>
      ))}
      {proof.revoked.map(({ sequence, reason }) => (
        <p key={sequence}>
          <Status of="verdict" value="revoked" /> {reason ?? "no reason given"}, event {sequence}
        </p>
      ))}
    </section>
  );
}

function Panels({ proof, run, file }: { proof: Proof; run: RunDetail; file: string | null }) {
  const { won, ending } = outcomeOf(proof);
  const domain = useInstalled(run.domain);
  const values = { proof: proof as unknown as Json, config: run.config as unknown as Json };
  if (ending === "going") return <Spent proof={proof} run={run} />;
  return (
    <>
      {proof.niches.length > 1 && <Niches niches={proof.niches} run={run.run_id} file={file} />}
      {won && (
        <div className="grid">
          <ProofPanel proof={proof} />
          <div className="stack">
            <DeclaredPanels domain={domain} place="proof" values={values} runId={run.run_id} file={file} />
            <Budget proof={proof} />
          </div>
        </div>
      )}
      {!won && proof.best !== null && <Unproven best={proof.best} run={run} file={file} />}
      {won && <BeforeAfter proof={proof} />}
      {won && <Line proof={proof} run={run} file={file} />}
      <div className="grid">
        {won && proof.audit !== null && <AuditPanel audit={proof.audit} />}
        {!won && proof.niches.some(({ challenges }) => challenges > 0) && <Budget proof={proof} />}
        <Spent proof={proof} run={run} />
      </div>
      <CheckIt proof={proof} run={run} file={file} />
    </>
  );
}
