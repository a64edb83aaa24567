/** The panels that the run's domain declares for the page of a run. */

import { DeclaredPanels } from "../../declared/DeclaredPanels";
import type { RunApi } from "../../wire/api";
import type { CandidateDetail, Json, JsonObject } from "../../wire/types";
import { useLoaded } from "../../wire/useLoaded";
import type { PanelProps } from "../view";

const EVERY = 5_000;

export function DomainPanels({ view, api }: PanelProps & { readonly api: RunApi }) {
  const { moment, domain, config, file, replay } = view;
  const wanted = domain?.panels.some(({ place }) => place === "run") ?? false;
  const reigning = moment.verdicts.findLast(({ what, candidateId }) => what !== "verdict" && reigns(candidateId, moment.champions));
  const champion = wanted ? (reigning?.candidateId ?? null) : null;
  const detail = useLoaded(champion === null ? null : `${api.path}/candidates/${champion}`, (signal) => api.candidate(champion ?? "", { signal }));
  if (domain === null || !wanted) return null;
  const values = { config: config as unknown as Json, champion: detail.data === null ? null : championOf(detail.data) };
  const asked = moment.run.over || replay ? {} : { every: EVERY };
  return <DeclaredPanels domain={domain} place="run" values={values} runId={api.runId} file={file} {...asked} />;
}

function reigns(candidateId: string, champions: ReadonlyMap<string, string>): boolean {
  return [...champions.values()].includes(candidateId);
}

/** The object at `champion` for declared paths; findings are the last of each step, by step name without the domain. */
function championOf({ candidate_id, fitness, evidence }: CandidateDetail): JsonObject {
  const found = evidence.flatMap(({ step, findings }): [string, Json][] =>
    findings === null ? [] : [[step.slice(step.indexOf(".") + 1), findings.data as Json]],
  );
  return { candidate_id, fitness: fitness?.total ?? null, findings: Object.fromEntries(found) };
}
