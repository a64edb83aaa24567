/** The page of a run. Live and replay show the same panels over the same store; a replay shows an earlier event. */

import { useCallback, useMemo } from "react";

import { useMoment, useRunFeed } from "../history";
import type { Then } from "../candidate/asOf";
import { useInstalled } from "../domains";
import type { Moment, RunFeedView } from "../history";
import { absolute } from "../parts/formatted";
import { Failed, Loading } from "../parts/states";
import { useKey } from "../shell/keys";
import { navigate, useQuery, withQuery } from "../shell/router";
import { useTitle } from "../shell/useTitle";
import { base, pagePath } from "../wire/api";
import { useReach } from "../wire/reach";
import { useLoaded } from "../wire/useLoaded";
import { Banner } from "./Banner";
import { useAskAtEnd } from "./hooks/useAskAtEnd";
import { usePlayhead } from "./hooks/usePlayhead";
import type { Playhead } from "./hooks/usePlayhead";
import { InspectorDrawer } from "./InspectorDrawer";
import { absenceOf } from "./logic/absence";
import { ticksOf } from "./logic/places";
import { energyOf } from "./logic/roster";
import { Panels } from "./Panels";
import { Overview } from "./panels/Overview";
import { Scrubber } from "./Scrubber";
import type { RunView } from "./view";
import "./panels.css";
import "./run.css";

interface RunPageProps {
  readonly runId: string;
  readonly file: string | null;
  readonly replay: boolean;
}

const HEALTH_EVERY = 5_000;

export default function RunPage({ runId, file, replay }: RunPageProps) {
  const feed = useRunFeed(runId, file);
  if (feed.phase === "loading" && feed.history.sequence < 0) return <Loading what="the run" />;
  if (feed.phase === "failed" && feed.problem !== null) return <Failed problem={feed.problem} retry={feed.retry} />;
  return <Loaded feed={feed} replay={replay} />;
}

function Loaded({ feed, replay }: { feed: RunFeedView; replay: boolean }) {
  const { api, history } = feed;
  const latest = useMoment(history, null);
  const head = usePlayhead(history.sequence, replay);
  const moment = replay ? history.at(head.at) : latest;
  const over = latest.run.over;
  const config = useLoaded(api.path, (signal) => api.detail({ signal }));
  const health = useLoaded(replay ? null : `${api.path}/health`, (signal) => api.health({ signal }), over ? {} : { every: HEALTH_EVERY });
  useAskAtEnd(over, health.reload);
  const connected = useReach() && feed.connection !== "lost";
  const ticks = useMemo(() => ticksOf(latest), [latest]);
  const domain = useInstalled(latest.run.domain);
  const { selected, select } = useSelection();
  const when = moment.time === null ? "before the first event" : absolute(moment.time);
  useTitle(`${replay ? "Replay" : "Run"} ${latest.run.problem ?? api.runId}`);
  useReplayKeys(replay ? head : null);
  useKey(selected === null ? null : "Escape", "Close the inspector", () => select(null));

  const view = useMemo(
    (): RunView => ({ moment, config: config.data?.config ?? null, domain, replay, file: api.file, selected, select }),
    [moment, config.data, domain, replay, api.file, selected, select],
  );
  const path = pagePath(api.runId, api.file);
  return (
    <div className="run" data-mode={replay ? "replay" : "live"} data-sequence={moment.sequence}>
      <div className="run-sticky">
        <Banner
          replay={replay}
          file={api.file}
          feed={feed}
          at={moment.sequence}
          last={history.sequence}
          over={over}
          absence={absenceOf(latest.run.status, health.data)}
          when={when}
          livePath={here(path)}
          replayPath={withQuery(here(`${path}/replay`), { at: history.sequence })}
          retryAt={feed.retryAt}
          reconnect={feed.reconnect}
        />
        {replay && <Scrubber head={head} last={history.sequence} ticks={ticks} when={when} />}
      </div>
      <Overview
        view={view}
        api={api}
        conducted={health.data?.conducted ?? config.data?.conducted ?? null}
        connected={connected}
        onAsked={health.reload}
      />
      <Panels view={view} api={api} health={replay ? null : health.data} problem={health.problem} />
      {selected !== null && (
        <InspectorDrawer
          base={base(api.file)}
          runId={api.runId}
          candidateId={selected}
          domain={latest.run.domain}
          at={replay ? thenOf(moment, selected) : null}
          onClose={() => select(null)}
        />
      )}
    </div>
  );
}

/** The moment of a replay, and a candidate's state at it. */
function thenOf(moment: Moment, candidateId: string): Then {
  const { sequence } = moment;
  const candidate = moment.candidate(candidateId);
  if (candidate === null) return { sequence, status: null, fitness: null, energy: 0 };
  return { sequence, status: candidate.status, fitness: candidate.fitness, energy: energyOf(moment, candidate) };
}

/** A path with the current query, except the position in the replay. */
function here(path: string): string {
  return withQuery(`${path}${window.location.search}`, { at: null });
}

/** The inspected candidate, kept in the URL. */
function useSelection() {
  const query = useQuery();
  const selected = query.params.get("candidate");
  const select = useCallback((candidate: string | null) => {
    const { pathname, search } = window.location;
    navigate(withQuery(pathname + search, { candidate }), { replace: true });
  }, []);
  return { selected, select };
}

function useReplayKeys(head: Playhead | null): void {
  useKey(head === null ? null : "[", "One event back", () => head?.goTo(head.at - 1));
  useKey(head === null ? null : "]", "One event forward", () => head?.goTo(head.at + 1));
  useKey(head === null ? null : " ", "Play or pause", () => head?.toggle());
}
