/** React hooks for the store and its feed. */

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";

import { RunApi } from "../wire/api";
import { onToken } from "../wire/token";
import { isTokenRequired } from "../wire/tokenWanted";
import { RunFeed } from "./feed";
import type { FeedState } from "./feed";
import type { Moment } from "./moment";
import type { RunHistory } from "./RunHistory";

export interface RunFeedView extends FeedState {
  readonly api: RunApi;
  readonly history: RunHistory;
  readonly retry: () => void;
  /** Retry a lost connection now; loaded data are kept. */
  readonly reconnect: () => void;
}

/** Load a run and follow it while the component is mounted. */
export function useRunFeed(runId: string, file: string | null): RunFeedView {
  const feed = useMemo(() => new RunFeed(new RunApi(runId, file)), [runId, file]);
  const state = useSyncExternalStore(feed.subscribe, feed.getState);
  useEffect(() => {
    void feed.start();
    return () => feed.stop();
  }, [feed]);
  const retry = useCallback(() => {
    feed.stop();
    void feed.start();
  }, [feed]);
  const refused = isTokenRequired(state.problem);
  useEffect(() => (refused ? onToken(retry) : undefined), [refused, retry]);
  const reconnect = useCallback(() => feed.reconnect(), [feed]);
  return { ...state, api: feed.api, history: feed.history, retry, reconnect };
}

/** The run after event `at`, or now if null; re-renders the component when it changes. */
export function useMoment(history: RunHistory, at: number | null): Moment {
  useSyncExternalStore(history.subscribe, () => history.version);
  return history.at(at);
}
