import { describe, expect, test } from "vitest";

import { controlsFor } from "./controls";
import type { Situation } from "./controls";

const live: Situation = { status: "running", conducted: "here", replay: false, file: false, connected: true };
const possible = (situation: Situation) =>
  controlsFor(situation).flatMap(({ kind, refused }) => (refused === null ? [kind] : []));

describe("the available controls of a run", () => {
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

  test("none in a replay, and none for a file", () => {
    expect(possible({ ...live, replay: true })).toEqual([]);
    expect(possible({ ...live, file: true })).toEqual([]);
  });

  test("none while the server does not respond", () => {
    expect(possible({ ...live, connected: false })).toEqual([]);
    expect(controlsFor({ ...live, connected: false })[0]?.refused).toContain("The connection is lost");
  });

  test("an unavailable control gives the reason", () => {
    const told = controlsFor({ ...live, status: "completed" }).map(({ refused }) => refused);
    expect(told).toEqual(Array(4).fill("The run has ended: it is completed."));
  });
});
