/** The doctor's findings about this machine, each with its remedy. */

import { useState } from "react";

import { Button, Empty, Failed, Loads, Panel, Status, Time, Value } from "../parts";
import { asProblem } from "../wire/problem";
import type { Problem } from "../wire/problem";
import { useLoaded } from "../wire/useLoaded";
import { settingsApi } from "./api";
import { probeCounts, probesByNeed } from "./grouping";
import type { Doctor, Probe, ProbeStatus } from "./types";

/** The shared status whose shape a probe's status uses. */
const SHAPES: Readonly<Record<ProbeStatus, string>> = { ok: "ok", limited: "warning", missing: "failed" };

export function DoctorPanel() {
  const recorded = useLoaded("doctor", (signal) => settingsApi.doctor({ signal }));
  const [fresh, setFresh] = useState<Doctor | null>(null);
  const [probing, setProbing] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const probe = () => {
    setProbing(true);
    setProblem(null);
    settingsApi
      .probe()
      .then(setFresh, (error: unknown) => setProblem(asProblem(error)))
      .finally(() => setProbing(false));
  };
  return (
    <Panel
      name="doctor"
      title="Doctor"
      note="Which features this machine supports. On the command line: mendel doctor"
      actions={
        <Button busy={probing} onClick={probe}>
          Probe now
        </Button>
      }
    >
      {problem !== null && <Failed problem={problem} retry={probe} />}
      <Loads of={{ ...recorded, data: fresh ?? recorded.data }} what="the findings">
        {(found) => <Found found={found} />}
      </Loads>
    </Panel>
  );
}

function Found({ found }: { found: Doctor }) {
  if (found.at === null || found.probes.length === 0) {
    return <Empty title="Not probed yet">Press “Probe now”. It takes a few seconds and changes nothing.</Empty>;
  }
  const counts = probeCounts(found.probes);
  return (
    <>
      <p>
        <Value name="probes-ok" raw={counts.ok}>
          {counts.ok} ok
        </Value>
        ,{" "}
        <Value name="probes-limited" raw={counts.limited}>
          {counts.limited} limited
        </Value>
        ,{" "}
        <Value name="probes-missing" raw={counts.missing}>
          {counts.missing} missing
        </Value>{" "}
        <span className="muted">
          (probed <Time at={found.at} />)
        </span>
      </p>
      <ul className="settings-probes">
        {probesByNeed(found.probes).map((probe) => (
          <ProbeRow key={probe.name} probe={probe} />
        ))}
      </ul>
    </>
  );
}

function ProbeRow({ probe }: { probe: Probe }) {
  return (
    <li data-probe={probe.name} data-raw={probe.status}>
      <span className="settings-probe-name">{probe.name}</span>
      <Status of="check" value={SHAPES[probe.status]} label={probe.status} />
      <div>
        <p>{probe.detail}</p>
        {probe.remedy !== null && (
          <p className="muted">
            For {probe.needed_for}: {probe.remedy}
          </p>
        )}
      </div>
    </li>
  );
}
