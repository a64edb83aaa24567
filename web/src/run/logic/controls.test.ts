import { describe, expect, test } from "vitest";

import { controlsFor } from "./controls";
import type { Situation } from "./controls";

const live: Situation = { status: "running", conducted: "here", replay: false, file: false, connected: true };
const possible = (situation: Situation) =>
  controlsFor(situation).flatMap(({ kind, refused }) => (refused === null ? [kind] : []));

describe("what may be asked of a run", () => {
  test.each([
    ["running", "here", ["stop", "kill"]],
    ["running", "nobody", ["stop", "kill", "resume"]],
    ["configured", "nobody", ["cancel", "resume"]],
    ["stopping", "here", ["kill"]],
    ["completing", "elsewhere", ["stop", "kill"]],
    ["completed", "nobody", []],
    ["failed", "nobody", []],
  ] as const)("%s, conducted by %s", (status, conducted, kinds) => {
    expect(possible({ ...live, status, conducted })).toEqual(kinds);
  });

  test("nothing in a replay, and nothing of a file", () => {
    expect(possible({ ...live, replay: true })).toEqual([]);
    expect(possible({ ...live, file: true })).toEqual([]);
  });

  test("nothing while nobody answers", () => {
    expect(possible({ ...live, connected: false })).toEqual([]);
    expect(controlsFor({ ...live, connected: false })[0]?.refused).toContain("The connection is lost");
  });

  test("what is refused says why", () => {
    const told = controlsFor({ ...live, status: "completed" }).map(({ refused }) => refused);
    expect(told).toEqual(Array(4).fill("The run is over: it is completed."));
  });
});
