/** The main figures of a run, and its controls. */

import { useMemo } from "react";

import type { Moment } from "../../history";
import { duration, money } from "../../parts/formatted";
import { Download } from "../../parts/Download";
import { Figure, Figures } from "../../parts/Panel";
import { Status } from "../../parts/Status";
import { Name } from "../../parts/told";
import { Link } from "../../shell/router";
import type { RunApi } from "../../wire/api";
import { exportName, pagePath } from "../../wire/api";
import type { Conducted } from "../../wire/types";
import { Controls } from "../Controls";
import { usePresent } from "../hooks/useNow";
import { fitness, short, whole } from "../logic/amounts";
import { bestUnadopted } from "../logic/standing";
import type { PanelProps } from "../view";
import { CandidateLink } from "./CandidateLink";

interface OverviewProps extends PanelProps {
  readonly api: RunApi;
  readonly conducted: Conducted | null;
  readonly connected: boolean;
  readonly onAsked: () => void;
}

export function Overview({ view, api, conducted, connected, onAsked }: OverviewProps) {
  const { run } = view.moment;
  return (
    <header className="run-overview" data-panel="overview">
      <div className="run-title">
        <h1 tabIndex={-1}>
          <Name of={run.problem ?? run.domain ?? "A run"} />
        </h1>
        <p className="run-subtitle">
          <span data-value="status" data-raw={run.status ?? ""}>
            <Status of="run" value={run.status ?? "configured"} />
          </span>
          <span data-value="domain">{run.domain ?? "–"}</span>
          <span>
            seed <code data-value="seed">{run.seed ?? "–"}</code>
          </span>
          <span>
            models <span data-value="model_profile">{run.modelProfile ?? "–"}</span>
          </span>
          <code title="The run's id">{run.id}</code>
        </p>
        {run.reason !== null && (
          <p className="run-reason" data-value="reason">
            {run.reason}
          </p>
        )}
      </div>
      <MainFigures view={view} />
      <Standing view={view} />
      <div className="run-doings">
        <Controls
          api={api}
          situation={{ status: run.status, conducted, replay: view.replay, file: view.file !== null, connected }}
          onAsked={onAsked}
        />
        <nav className="run-ways" aria-label="More about this run">
          <Link to={`${pagePath(run.id, view.file)}/final`}>Final proof</Link>
          <Download path={api.exportPath()} name={exportName(run.id)}>
            Export the log
          </Download>
        </nav>
      </div>
    </header>
  );
}

function MainFigures({ view }: PanelProps) {
  const { moment } = view;
  const { totals, best, run, scoreSeries } = moment;
  const mean = scoreSeries.length > 0 ? (scoreSeries.mean[scoreSeries.length - 1] ?? null) : null;
  const champion = useMemo(() => [...moment.champions.values()].at(-1) ?? null, [moment]);
  const generation = moment.generations.at(-1)?.index ?? null;
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const ended = usePresent(view);
  return (
    <Figures>
      <Figure name="best_fitness" label="Best fitness" raw={best?.fitness ?? null} note={best !== null && <CandidateLink view={view} id={best.candidateId} />}>
        {fitness(best?.fitness)}
      </Figure>
      <Figure name="mean_fitness" label="Mean of last 20" raw={mean}>
        {fitness(mean)}
      </Figure>
      <Figure name="champion" label="Champion" raw={champion}>
        {champion === null ? (run.over ? "none" : "none yet") : <CandidateLink view={view} id={champion} />}
      </Figure>
      <Figure name="final" label="Final candidate" raw={run.finalCandidateId} note={finalNote(moment)}>
        {run.finalCandidateId === null ? finalSaid(run.over) : <CandidateLink view={view} id={run.finalCandidateId} />}
      </Figure>
      <Figure name="candidates" label="Candidates" raw={totals.candidates}>
        {whole(totals.candidates)}
      </Figure>
      <Figure name="scored" label="Scored" raw={totals.scored}>
        {whole(totals.scored)}
      </Figure>
      <Figure name="generation" label="Generation" raw={generation}>
        {generation ?? "–"}
      </Figure>
      <Figure name="energy_spent" label="Energy" raw={totals.energy}>
        {short(totals.energy)}
      </Figure>
      <Figure name="cost" label="Cost" raw={totals.costMicrousd}>
        {money(totals.costMicrousd)}
      </Figure>
      <Figure name="events" label="Events" raw={totals.events}>
        {whole(totals.events)}
      </Figure>
      <Figure name="duration" label="Duration" raw={started === null ? null : Math.round(ended - started)}>
        <span title={run.startedAt === null ? undefined : `since ${new Date(run.startedAt).toLocaleString()}`}>
          {started === null ? "–" : duration(ended - started)}
        </span>
      </Figure>
    </Figures>
  );
}

function Standing({ view: { moment } }: PanelProps) {
  const said = useMemo(() => bestUnadopted(moment), [moment]);
  if (said === null) return null;
  return (
    <p className="run-standing" data-value="best_unadopted">
      {said}
    </p>
  );
}

/** Whether the gate adopted the final candidate. */
function finalNote({ run: { finalCandidateId }, champions }: Moment): string | undefined {
  if (finalCandidateId === null) return undefined;
  return new Set(champions.values()).has(finalCandidateId) ? "adopted" : "not adopted";
}

const finalSaid = (over: boolean) => (over ? "no survivor" : "not yet");
