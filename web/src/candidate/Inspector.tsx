/** One candidate in a side panel: its material, its origin, its evidence and its verdicts. */

import { useEffect, useId, useRef } from "react";

import { domainPage } from "../domains";
import { Amount, Button, Empty, Failed, Figure, Figures, Loading, Status, Tabs, Value } from "../parts";
import type { Tab } from "../parts";
import { usePolled } from "../runs/polling";
import { useQuery, withQuery } from "../shell/router";
import { asOf } from "./asOf";
import type { Then } from "./asOf";
import { EvidenceList } from "./EvidenceList";
import { Differences, TextView } from "./Material";
import { Origins } from "./Origins";
import { Traces } from "./Traces";
import { Verdicts } from "./Verdicts";
import { numberText, spoken } from "./findings";
import type { Detail } from "./wire";
import "./candidate.css";

const EVERY = 5_000;

export interface InspectorProps {
  /** The base path of the API: "/api", or "/api/files/ID" for an opened file. */
  base: string;
  runId: string;
  candidateId: string;
  /** The domain that renders it; taken from its material if null. */
  domain?: string | null;
  /** In a replay: the current event, and the candidate's state after it. */
  at?: Then | null;
  onClose: () => void;
}

export function Inspector({ base, runId, candidateId, domain = null, at = null, onClose }: InspectorProps) {
  const id = useId();
  const panel = useFocusWithin(candidateId);
  return (
    <div
      className="inspect"
      role="dialog"
      aria-labelledby={id}
      data-panel="candidate"
      data-keys="own"
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className="inspect-head">
        <h2 id={id} className="mono">
          {candidateId}
        </h2>
        <Button kind="quiet" onClick={onClose} aria-label="Close the inspector">
          ✕
        </Button>
      </header>
      <Loaded
        key={candidateId}
        path={`${base}/runs/${encodeURIComponent(runId)}/candidates/${encodeURIComponent(candidateId)}`}
        domain={domain}
        at={at}
      />
    </div>
  );
}

/** Focus the panel when it opens, and restore the previous focus when it closes. */
function useFocusWithin(subject: string) {
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    before.current = document.activeElement;
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => panel.current?.focus({ preventScroll: true }), [subject]);
  return panel;
}

function Loaded({ path, domain, at }: { path: string; domain: string | null; at: Then | null }) {
  const { data, problem, reload } = usePolled<Detail>(path, {}, EVERY);
  if (data === null) return problem === null ? <Loading what="the candidate" /> : <Failed problem={problem} retry={reload} way={backToRun()} />;
  if (at !== null && at.status === null) {
    return <Empty title="Not created yet">At event {at.sequence} the run had not created this candidate.</Empty>;
  }
  return <Shown detail={asOf(data, at)} domain={domain ?? domainOf(data)} />;
}

/** A link to the same page without the inspector. */
function backToRun() {
  const { pathname, search } = window.location;
  return { to: withQuery(pathname + search, { candidate: null, view: null }), label: "Back to the run" };
}

function domainOf({ content }: Detail): string | null {
  return typeof content?.domain === "string" ? content.domain : null;
}

function Shown({ detail, domain }: { detail: Detail; domain: string | null }) {
  const { get, set } = useQuery();
  return (
    <div className="inspect-body">
      <Summary detail={detail} />
      <Tabs
        label="About the candidate"
        tabs={tabsOf(detail, domain)}
        selected={get("view", "material")}
        onSelect={(view) => set({ view: view === "material" ? null : view })}
      />
    </div>
  );
}

function Summary({ detail }: { detail: Detail }) {
  const { fitness, status, birth, energy, reason } = detail;
  const components = Object.entries(fitness?.components ?? {});
  return (
    <>
      <div className="row">
        <Value name="candidate-status" raw={status}>
          <Status of="candidate" value={status} />
        </Value>
        {detail.verdicts.some(({ what }) => what === "adopted") && <Status of="verdict" value={lastWord(detail)} />}
      </div>
      {reason !== null && <p className="inspect-error">{reason}</p>}
      <Figures>
        <Figure label="Fitness" name="candidate-fitness" raw={fitness?.total} note={components.length > 1 ? componentText(components) : undefined}>
          <Amount value={fitness?.total ?? null} />
        </Figure>
        <Figure label="Birth" name="candidate-birth" raw={birth}>
          {birth}
        </Figure>
        <Figure label="Energy" name="candidate-energy" raw={energy} note="of all operations about it">
          <Amount value={energy} />
        </Figure>
      </Figures>
    </>
  );
}

function lastWord({ verdicts }: Detail): string {
  return verdicts.findLast(({ what }) => what !== "verdict")?.what ?? "adopted";
}

function componentText(components: readonly [string, number][]): string {
  return components.map(([name, value]) => `${spoken(name)} ${numberText(value)}`).join(", ");
}

function tabsOf(detail: Detail, domain: string | null): Tab[] {
  const { CandidateView = TextView } = domainPage(domain);
  const count = (length: number) => (length === 0 ? "" : ` (${length})`);
  return [
    { id: "material", title: "Source", content: <CandidateView detail={detail} /> },
    { id: "diff", title: `Diff${count(detail.parents.length)}`, content: <Differences parents={detail.parents} /> },
    { id: "evidence", title: `Evidence${count(detail.evidence.length)}`, content: <EvidenceList evidence={detail.evidence} /> },
    { id: "gate", title: `Gate${count(detail.verdicts.length)}`, content: <Verdicts verdicts={detail.verdicts} /> },
    { id: "origins", title: "Origin", content: <Origins detail={detail} /> },
    { id: "traces", title: "Traces", content: <Traces detail={detail} /> },
  ];
}
