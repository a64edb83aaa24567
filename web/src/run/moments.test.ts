import { describe, expect, test } from "vitest";

import { RUN, historyOf, randomRun } from "../../tests/random_run";
import { RunHistory } from "../history";
import type { CandidateAt } from "../history";
import type { Json } from "../wire/types";
import { archiveAxes, chosenTwo, figureNames } from "./logic/axes";
import { drainOf } from "./logic/drain";
import { shareOf } from "./logic/errorBudget";
import { feedLine } from "./logic/feed";
import { challengesOf, errorSpent } from "./logic/gate";
import { columnsAreGenerations, lineageNodes } from "./logic/lineage";
import { rampOf } from "./logic/ramp";
import { energyOf, rosterOf } from "./logic/roster";
import { fitnessColumns } from "./logic/series";

const history = new RunHistory(RUN);
history.load(historyOf(randomRun(5, 600)));
const moment = history.latest();
const middle = history.at(300);

describe("the roster", () => {
  test("has the requested order, with missing fitness last", () => {
    const found = rosterOf(moment, "fitness", true, "").map(({ candidate }) => candidate.fitness);
    const scored = found.filter((fitness) => fitness !== null);
    expect(scored).toEqual([...scored].sort((one, other) => other - one));
    expect(found.slice(scored.length).every((fitness) => fitness === null)).toBe(true);
    expect(found).toHaveLength(moment.candidates.length);
  });

  test("can show a single status only", () => {
    expect(rosterOf(moment, "birth", false, "created").every(({ candidate }) => candidate.status === "created")).toBe(true);
  });
});

describe("the energy of a candidate", () => {
  const [founder, child] = ["founder", "child"].map((id) => ({ id: `candidate-${id}`, genomeId: id }) as CandidateAt);
  const made = new RunHistory(RUN);
  const told = (key: string[], first: number[], values: Record<string, Json[]>) => ({ key, first, last: first, values });
  made.load({
    run_id: RUN,
    sequence: 20,
    tables: {
      genomes: told(["founder", "child"], [1, 8], { energy: [50, null], charged: [2, null] }),
      operations: told(["vary", "examine"], [5, 10], {
        kind: ["vary", "examine"],
        subject_ids: [["child"], ["candidate-child"]],
        energy: [55, 10],
        charged: [7, 12],
        ended: [8, 13],
      }),
    },
  });
  const energies = (who: CandidateAt | undefined) => [1, 2, 7, 12, 20].map((at) => energyOf(made.at(at), who as CandidateAt));

  test("includes its birth and its examinations, from the event of each charge", () => {
    expect(energies(child)).toEqual([0, 0, 55, 65, 65]);
  });

  test("includes a founder's birth, which is not charged to an operation", () => {
    expect(energies(founder)).toEqual([0, 50, 50, 50, 50]);
  });
});

describe("the lineage", () => {
  test("contains exactly the genomes born by then", () => {
    const born = middle.genomes.map(({ id }) => id);
    expect(lineageNodes(middle, false).map(({ id }) => id)).toEqual(born);
    expect(lineageNodes(moment, false).length).toBeGreaterThan(born.length);
  });

  test("marks genomes with operations in flight", () => {
    const subjects = new Set(middle.inFlight.flatMap(({ subjects }) => subjects));
    for (const node of lineageNodes(middle, false)) {
      const about = [node.id, ...middle.expressed(node.id).map(({ id }) => id)];
      expect(node.working).toBe(about.some((id) => subjects.has(id)));
    }
  });

  test("has generations as columns unless the run is steady", () => {
    expect(columnsAreGenerations({ pace: { kind: "steady" } })).toBe(false);
    expect(columnsAreGenerations({ pace: { kind: "generations" } })).toBe(true);
  });
});

describe("the gate", () => {
  test("continues the count of challenges from earlier runs", () => {
    const rows = challengesOf(moment.verdicts, 0.05, 3);
    expect(rows.map(({ k }) => k)).toEqual(rows.map((_, index) => index + 4));
    expect(rows[0]?.spent).toBeCloseTo(shareOf(0.05, 4), 12);
    expect(errorSpent(rows)).toBeLessThan(0.05);
  });
});

describe("drawings", () => {
  test("fitness has one point per score, for every horizontal axis", () => {
    for (const across of ["events", "births", "time"] as const) {
      const { x, best } = fitnessColumns(moment, across);
      expect(x).toHaveLength(moment.totals.scored);
      expect([...x]).toEqual([...x].sort((one, other) => one - other));
      expect(best.at(-1)).toBe(moment.best?.fitness);
    }
  });

  test("a budget falls from its total to the remaining amount", () => {
    const drain = drainOf(moment.energySeries, moment.totals.energy, 100_000, moment.sequence);
    expect(drain.points[0]).toEqual([0, 100_000]);
    expect(drain.points.at(-1)).toEqual([moment.sequence, 100_000 - moment.totals.energy]);
    expect(drain.floor).toBeLessThan(drain.left);
  });

  test("a ramp maps the lowest and highest values to its ends", () => {
    const ramp = rampOf([1, 2, 6]);
    expect([ramp(1), ramp(6), ramp(3.5)]).toEqual([0, 4, 2]);
    expect(rampOf([3])(3)).toBe(4);
  });

  test("axes come from the scores, and two different ones are chosen", () => {
    const names = figureNames(moment.scores);
    expect(names).toEqual(["one", "two", "age", "size"]);
    expect(chosenTwo(names, "two", "two")).toEqual(["two", "one"]);
    expect(chosenTwo(["one"], "", "")).toBeNull();
    expect(archiveAxes(null, moment.scores).map(({ name }) => name)).toContain("size");
  });
});

test("every kind of activity has a line", () => {
  const lines = moment.activity(1_000).map((activity) => feedLine(activity, (id) => moment.scoreOf(id)?.total ?? null));
  const kinds = new Set(lines.flatMap((line) => (line === null ? [] : [line.kind])));
  for (const kind of ["started", "ended", "failure", "birth", "score", "verdict", "adoption", "call", "run"]) expect(kinds).toContain(kind);
  expect(lines.every((line) => line === null || !line.text.includes("undefined"))).toBe(true);
});

test("the final candidate is a winner only if the gate adopted it", () => {
  const [one, other] = [moment.genomes[0], moment.genomes[1]];
  const ending = (champion: string) => {
    const ended = Object.create(moment, {
      run: { value: { ...moment.run, finalCandidateId: moment.expressed(one?.id ?? "")[0]?.id ?? null } },
      champions: { value: new Map([["niche", champion]]) },
    }) as typeof moment;
    return lineageNodes(ended, true).filter(({ final }) => final).map(({ id }) => id);
  };
  expect(ending(moment.expressed(one?.id ?? "")[0]?.id ?? "")).toEqual([one?.id]);
  expect(ending(moment.expressed(other?.id ?? "")[0]?.id ?? "")).toEqual([]);
});
