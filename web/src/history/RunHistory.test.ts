import { expect, test, vi } from "vitest";

import { historyOf, randomness, randomRun, RUN } from "../../tests/random_run";
import { axesOf } from "./archive";
import type { Moment } from "./moment";
import { RunHistory } from "./RunHistory";

const AXES = [
  { name: "age", low: 0, high: 2, bins: 4 },
  { name: "size", low: 0, high: 2, bins: 4 },
];

/** All values of a moment. */
function told(moment: Moment) {
  const { length, ...series } = moment.scoreSeries;
  const cut = (values: readonly number[]) => values.slice(0, length);
  const spend = ({ length: count, sequence, total }: Moment["energySeries"]) => [sequence.slice(0, count), total.slice(0, count)];
  return {
    sequence: moment.sequence,
    run: moment.run,
    totals: moment.totals,
    generations: moment.generations,
    genomes: moment.genomes,
    candidates: moment.candidates,
    inFlight: moment.inFlight,
    conducting: moment.conducting,
    population: moment.population,
    best: moment.best,
    series: [cut(series.sequence), cut(series.total), cut(series.best), cut(series.mean)],
    energy: spend(moment.energySeries),
    cost: spend(moment.costSeries),
    scores: moment.scores,
    verdicts: moment.verdicts,
    champions: [...moment.champions].sort(),
    archive: moment.archive(AXES),
    front: moment.front(["one", "two"]),
    activity: moment.activity(40),
    calls: moment.modelCalls(10),
    about: moment.candidates.map((each) => moment.operationsAbout(each.id)),
  };
}

function loaded(steps: ReturnType<typeof randomRun>): RunHistory {
  const history = new RunHistory(RUN);
  history.load(historyOf(steps));
  return history;
}

test.each([1, 2, 3, 4, 5, 6])("a run rewound to an event is the run as it was then (seed %i)", (seed) => {
  const steps = randomRun(seed, 160, seed % 2 === 0);
  const whole = loaded(steps);
  for (let at = 0; at < steps.length; at += 1) {
    const before = loaded(steps.slice(0, at + 1)).latest();
    // The configuration comes with the first event, so the run's row always has the current one.
    expect(told(whole.at(at)), `after event ${at}`).toEqual(told(before));
  }
});

test("jumps over any distance show the same as a fresh load", () => {
  const random = randomness(7);
  const steps = randomRun(7, 9_000, true);
  const whole = loaded(steps);
  for (let round = 0; round < 6; round += 1) {
    const at = Math.floor(random() * steps.length);
    const [jumped, fresh] = [whole.at(at), loaded(steps).at(at)];
    expect(jumped.genomes, `after event ${at}`).toEqual(fresh.genomes);
    expect(jumped.candidates, `after event ${at}`).toEqual(fresh.candidates);
    expect(jumped.inFlight, `after event ${at}`).toEqual(fresh.inFlight);
  }
});

test.each([11, 12, 13])("following a run gives the same as loading it (seed %i)", (seed) => {
  const steps = randomRun(seed, 240, true);
  const followed = new RunHistory(RUN);
  followed.load(historyOf(steps.slice(0, 50)));
  for (let at = 50; at < steps.length; at += 7) {
    followed.apply(steps.slice(at, at + 7));
    expect(told(followed.latest())).toEqual(told(loaded(steps.slice(0, at + 7)).latest()));
  }
  for (const at of [0, 20, 49, 50, 120]) expect(told(followed.at(at))).toEqual(told(loaded(steps.slice(0, at + 1)).latest()));
});

test("rows in any order are sorted", () => {
  const steps = randomRun(21, 100);
  const { tables, ...rest } = historyOf(steps);
  const backwards = Object.fromEntries(
    Object.entries(tables).map(([name, { key, first, last, values }]) => {
      const turned = Object.fromEntries(Object.entries(values).map(([column, cells]) => [column, cells.toReversed()]));
      return [name, { key: key.toReversed(), first: first.toReversed(), last: last.toReversed(), values: turned }];
    }),
  );
  const history = new RunHistory(RUN);
  history.load({ ...rest, tables: backwards });
  expect(history.at(60).genomes).toEqual(loaded(steps).at(60).genomes);
  expect(history.at(60).best).toEqual(loaded(steps).at(60).best);
});

test("known steps are ignored, and listeners are notified once of new ones", () => {
  const steps = randomRun(31, 60);
  const history = loaded(steps.slice(0, 30));
  const heard = vi.fn();
  const stop = history.subscribe(heard);
  history.apply(steps.slice(10, 30));
  expect(heard).not.toHaveBeenCalled();
  history.apply(steps.slice(20, 40));
  expect(heard).toHaveBeenCalledTimes(1);
  expect(told(history.latest())).toEqual(told(loaded(steps.slice(0, 40)).latest()));
  stop();
  history.apply(steps.slice(40));
  expect(heard).toHaveBeenCalledTimes(1);
});

test("a moment is created once, and a past one is kept while the run goes on", () => {
  const steps = randomRun(41, 80);
  const history = loaded(steps.slice(0, 60));
  const past = history.at(30);
  const now = history.latest();
  expect(history.at(30)).toBe(past);
  expect(history.at(10_000)).toBe(now);
  history.apply(steps.slice(60));
  expect(history.at(30)).toBe(past);
  expect(history.latest()).not.toBe(now);
});

test("a run is empty before its first event", () => {
  const moment = loaded(randomRun(51, 40)).at(-1);
  expect(moment.run.status).toBeNull();
  expect([moment.genomes, moment.candidates, moment.inFlight, moment.activity()]).toEqual([[], [], [], []]);
  expect(moment.totals).toMatchObject({ events: 0, energy: 0, scored: 0 });
});

test("nothing is in flight once a run has ended", () => {
  const steps = randomRun(61, 200, true);
  const history = loaded(steps);
  expect(history.at(steps.length - 2).inFlight.length).toBeGreaterThan(0);
  expect(history.latest().inFlight).toEqual([]);
  expect(history.latest().run.over).toBe(true);
  expect(history.at(steps.length - 2).run).toMatchObject({ status: "running", reason: null, finalCandidateId: null });
});

test("computed axes contain every score", () => {
  const moment = loaded(randomRun(71, 200)).latest();
  const cells = moment.archive(axesOf(moment.scores));
  expect(cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(moment.scores.length);
});

test("the time of an event is between those of its neighbours", () => {
  const steps = randomRun(81, 120);
  const moment = loaded(steps).latest();
  const times = steps.map((step) => moment.timeOf(step.sequence) ?? NaN);
  expect(times[0]).toBe(Date.parse(steps[0]?.at ?? ""));
  expect(times.at(-1)).toBe(Date.parse(steps.at(-1)?.at ?? ""));
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(times[index - 1] ?? 0);
});
