/** The compared runs, each with its improvements. */

import { RunHistory } from "../../history";
import { RunApi } from "../../wire/api";
import { asProblem } from "../../wire/problem";
import type { Problem } from "../../wire/problem";
import { TERMINAL } from "../../wire/types";
import type { RunDetail } from "../../wire/types";
import { useLoaded } from "../../wire/useLoaded";
import type { Improvement } from "./curves";
import { improvementsIn } from "./improvements";

export interface Compared {
  readonly run: RunDetail;
  readonly improvements: readonly Improvement[];
  /** The last verdict on the champion, or the state of its adoption. */
  readonly verdict: string | null;
}

interface Missing {
  readonly runId: string;
  readonly problem: Problem;
}

type Found = { readonly compared: Compared } | Missing;

const EVERY = 5_000;

export function useCompared(runIds: readonly string[]) {
  const key = runIds.length === 0 ? null : runIds.join(",");
  const { data, loading } = useLoaded<Found[]>(key, (signal) => Promise.all(runIds.map((runId) => load(runId, signal))), { every: EVERY });
  const found = data ?? [];
  return {
    runs: found.flatMap((each) => ("compared" in each ? [each.compared] : [])),
    problems: found.flatMap((each) => ("problem" in each ? [each] : [])),
    loading,
  };
}

/** Cache of ended runs, which do not change. */
const over = new Map<string, Compared>();

async function load(runId: string, signal: AbortSignal): Promise<Found> {
  const known = over.get(runId);
  if (known !== undefined) return { compared: known };
  try {
    const compared = await read(new RunApi(runId), signal);
    if (compared.run.status !== null && TERMINAL.has(compared.run.status)) over.set(runId, compared);
    return { compared };
  } catch (error) {
    if (signal.aborted) throw error;
    return { runId, problem: asProblem(error) };
  }
}

async function read(api: RunApi, signal: AbortSignal): Promise<Compared> {
  const [run, told] = await Promise.all([api.detail({ signal }), api.history({ signal })]);
  const history = new RunHistory(api.runId);
  history.load(told);
  const moment = history.latest();
  const champion = run.champion_id;
  const last = moment.verdicts.findLast((verdict) => verdict.candidateId === champion && champion !== null);
  const verdict = last === undefined ? null : last.what === "verdict" ? last.decision : last.what;
  return { run, improvements: improvementsIn(moment), verdict };
}
