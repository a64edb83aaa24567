/** One decision of the gate with its measurements, sources and provenance. */

import { Banner, Code, Empty, Figure, Figures, Loads, Name, Panel, ShortId, Status, Time, Value } from "../parts";
import { Link, withQuery } from "../shell/router";
import { useTitle } from "../shell/useTitle";
import { pagePath } from "../wire/api";
import { useLoaded } from "../wire/useLoaded";
import { guardApi } from "./api";
import { IntervalsPanel } from "./IntervalsPanel";
import { ProvenancePanel } from "./ProvenancePanel";
import { StatisticsPanel } from "./StatisticsPanel";
import type { GuardReport, Side, Violation } from "./types";
import "./guard.css";

export default function GuardReportPage({ reportId }: { reportId: string }) {
  const loaded = useLoaded(reportId, (signal) => guardApi.one(reportId, { signal }));
  useTitle(loaded.data === null ? "Guard report" : `${loaded.data.what}: ${loaded.data.decision}`);
  return (
    <div className="stack">
      <p>
        <Link to="/guard">All decisions of the gate</Link>
      </p>
      <h1>
        <Name of={loaded.data?.what || "Guard report"} />
      </h1>
      <Loads of={loaded} what="the report">
        {(report) => <Report report={report} />}
      </Loads>
    </div>
  );
}

function Report({ report }: { report: GuardReport }) {
  return (
    <>
      <DecisionPanel report={report} />
      <IntervalsPanel report={report} />
      <ViolationsPanel violations={report.verdict.violations} />
      <StatisticsPanel verdict={report.verdict} />
      <ProvenancePanel report={report} />
      <Sources candidate={report.candidate} baseline={report.baseline} />
    </>
  );
}

function DecisionPanel({ report }: { report: GuardReport }) {
  const { verdict } = report;
  return (
    <Panel name="decision" title="Decision" note={<About report={report} />}>
      <p className="guard-decision">
        <Value name="decision" raw={report.decision}>
          <Status of="decision" value={report.decision} />
        </Value>
      </p>
      <ul>
        {verdict.reasons.map((reason) => (
          <li key={`${reason.code} ${reason.message}`}>
            {reason.message} <code className="muted">{reason.code}</code>
          </li>
        ))}
      </ul>
      {verdict.provenance.sandbox.weakened && (
        <Banner kind="warn" title="Weak sandbox">
          Results from it cannot lead to an adoption.
        </Banner>
      )}
      {verdict.flaky && (
        <Banner kind="warn" title="Flaky">
          The same input had different answers in different runs; the reasons say on which side.
        </Banner>
      )}
      {verdict.warnings.map((warning) => (
        <Banner key={`${warning.code} ${warning.message}`} kind="warn">
          {warning.message}
        </Banner>
      ))}
      <Figures>
        <Figure label="Cases" name="n" raw={report.n} note={enough(verdict.n_to_decide)}>
          {report.n.toLocaleString("en")}
        </Figure>
        <Figure label="Mode" name="mode">
          {report.mode}
        </Figure>
        <Policy policy={report.policy} />
        <Figure label="Chance of a wrong adoption" name="alpha" raw={report.alpha} note={`at most; challenge ${report.k} of its niche`}>
          {report.alpha.toLocaleString("en", { maximumSignificantDigits: 4 })}
        </Figure>
      </Figures>
      <h3>Requirements</h3>
      <ul>
        {report.demands.map((demand) => (
          <li key={demand}>{demand}</li>
        ))}
      </ul>
    </Panel>
  );
}

/** A policy such as `noninferiority:margin=0.02`: its kind, with its parameters as a note. */
function Policy({ policy }: { policy: string }) {
  const [kind = "", ...terms] = policy.split(":");
  return (
    <Figure label="Policy" name="policy" raw={policy} note={terms.length === 0 ? undefined : terms.join(":").replaceAll("=", " = ")}>
      {kind}
    </Figure>
  );
}

function enough(cases: number | null): string | undefined {
  return cases === null ? undefined : `about ${cases.toLocaleString("en")} are enough to decide, if the rates stay as observed`;
}

function About({ report }: { report: GuardReport }) {
  const { run_id, candidate_id } = report;
  if (run_id === null || candidate_id === null) {
    return (
      <>
        Made by mendel guard evaluate, <Time at={report.at} />.
      </>
    );
  }
  return (
    <>
      Candidate{" "}
      <Link to={withQuery(pagePath(run_id), { candidate: candidate_id })}>
        <ShortId id={candidate_id} />
      </Link>{" "}
      in run{" "}
      <Link to={pagePath(run_id)}>
        <ShortId id={run_id} />
      </Link>
      , <Time at={report.at} />.
    </>
  );
}

function ViolationsPanel({ violations }: { violations: readonly Violation[] }) {
  return (
    <Panel name="violations" title="Counter-examples" note="Cases against a side, with inputs shrunk where possible.">
      <p>
        <Value name="violations" raw={violations.length}>
          {violations.length === 1 ? "1 case is stored" : `${violations.length} cases are stored`}
        </Value>
      </p>
      {violations.length === 0 && <Empty title="No counter-examples" />}
      {violations.map((violation, place) => (
        <OneViolation key={place} violation={violation} />
      ))}
    </Panel>
  );
}

function OneViolation({ violation }: { violation: Violation }) {
  const rows: [string, string][] = [
    [violation.shrunk ? "Minimal input" : "Input", violation.input],
    ["Expected", violation.expected],
    ["Got", violation.got],
    ["Detail", violation.detail],
  ];
  return (
    <section className="guard-violation" aria-label={`${violation.kind}: ${violation.name}`}>
      <h3>
        <Status of="check" value="failed" label={violation.kind} /> {violation.name}
      </h3>
      <p className="muted small">
        against the {violation.side}, case {violation.case}
        {violation.shrunk ? ", minimal input" : ""}
      </p>
      <dl className="guard-facts">
        {rows
          .filter(([, text]) => text !== "")
          .map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <pre tabIndex={0}>{text}</pre>
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function Sources({ candidate, baseline }: { candidate: Side | null; baseline: Side | null }) {
  if (candidate === null) return null;
  return (
    <Panel name="sources" title="Sources" note="As they were sent to the sandbox.">
      <div className="grid">
        <OneSide title="Candidate" side={candidate} />
        {baseline !== null && <OneSide title="Baseline" side={baseline} />}
      </div>
    </Panel>
  );
}

function OneSide({ title, side }: { title: string; side: Side }) {
  return (
    <section>
      <h3>{title}</h3>
      <p className="muted small guard-long">{side.origin}</p>
      {Object.entries(side.files).map(([path, source]) => (
        <Code key={path} source={source} language="python" label={`${title}: ${path}`} />
      ))}
    </section>
  );
}
