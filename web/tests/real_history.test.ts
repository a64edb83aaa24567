// @vitest-environment node
// Checks real runs against expectations from their events; tests/web/test_real_history.py makes both and runs this.
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { RunHistory } from "../src/history";
import type { Moment } from "../src/history";
import { usedAt } from "../src/run/logic/used";
import type { History } from "../src/wire/types";

interface Told {
  readonly sequence: number;
  readonly [what: string]: unknown;
}

interface RealRun {
  readonly history: History;
  readonly moments: readonly Told[];
}

const path = process.env.MENDEL_REAL_HISTORIES;
const runs = path === undefined ? [] : (JSON.parse(readFileSync(path, "utf8")) as RealRun[]);

/** The order of Python's sort: by code points; ids are ASCII. */
function sorted<T extends readonly unknown[]>(rows: Iterable<T>): T[] {
  const key = (row: T) => String(row[0]);
  return [...rows].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

/** The moment in the format of the file. */
function shown(moment: Moment): Told {
  const { totals, run } = moment;
  const { wall_clock_ms: _, ...used } = usedAt(moment);
  return {
    sequence: moment.sequence,
    status: run.status,
    best: [moment.best?.candidateId ?? null, moment.best?.fitness ?? null],
    candidates: totals.candidates,
    scored: totals.scored,
    energy: totals.energy,
    calls: [totals.modelCalls, totals.tokens, totals.costMicrousd],
    in_flight: moment.inFlight.map(({ id }) => id).sort(),
    champions: sorted(moment.champions),
    candidate_statuses: sorted(moment.candidates.map(({ id, status, fitness }) => [id, status, fitness] as const)),
    genome_statuses: sorted(moment.genomes.map(({ id, status, birth }) => [id, status, birth] as const)),
    generation_statuses: sorted(moment.generations.map(({ id, status }) => [id, status] as const)),
    final: run.finalCandidateId,
    used,
    conductor: moment.conducting?.conductor ?? null,
    epochs: moment.conducting?.takingsOver ?? 0,
  };
}

if (runs.length === 0) test.skip("there are no real runs here: tests/web/test_real_history.py brings them", () => undefined);

test.each(runs)("run $history.run_id is rewound to what its events say", ({ history, moments }) => {
  const store = new RunHistory(history.run_id);
  store.load(history);
  // Backwards and forwards: the order of access must make no difference.
  for (const told of [...moments].reverse()) expect(shown(store.at(told.sequence)), `after event ${told.sequence}`).toEqual(told);
  for (const told of moments) expect(shown(store.at(told.sequence)), `after event ${told.sequence}`).toEqual(told);
  // The store's sum must equal the server's.
  const energy = store.at(history.sequence).energySeries;
  expect(energy.total[energy.length - 1] ?? 0).toBe(store.latest().totals.energy);
});
