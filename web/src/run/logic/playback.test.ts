import { describe, expect, test } from "vitest";

import { SPEEDS, clamped, keyLeadsTo, played } from "./playback";
import type { Speed } from "./playback";
import { placeOf, thinned, tickAfter, tickBefore } from "./ticks";
import type { Tick } from "./ticks";

describe("the keys of the scrubber", () => {
  test.each([
    ["ArrowRight", 51],
    ["ArrowLeft", 49],
    ["Home", 0],
    ["End", 400],
    ["PageUp", 70],
    ["PageDown", 30],
  ])("%s leads from 50 to %i", (key, to) => expect(keyLeadsTo(key, 50, 400)).toBe(to));

  test("none leaves the run, and others do nothing", () => {
    expect(keyLeadsTo("ArrowRight", 400, 400)).toBe(400);
    expect(keyLeadsTo("PageDown", 5, 400)).toBe(0);
    expect(keyLeadsTo("x", 5, 400)).toBeNull();
    expect(clamped(7.6, -1)).toBe(0);
  });
});

describe("playing", () => {
  const named = (name: string) => SPEEDS.find((speed) => speed.name === name) as Speed;

  test("the whole run takes the time of its speed", () => {
    expect(played(0, 10_000, named("in 20 s"), 1_000)).toBe(500);
    expect(played(900, 20_000, named("in 20 s"), 1_000)).toBe(1_000);
  });

  test("a slow speed moves by fractions of an event", () => {
    expect(played(3, 250, named("1/s"), 1_000)).toBe(3.25);
  });
});

describe("ticks", () => {
  const tick = (sequence: number, kind: Tick["kind"]): Tick => ({ sequence, kind, label: "" });
  const ticks = [tick(3, "generation"), tick(10, "adoption"), tick(20, "generation")];

  test("stepping goes to the neighbours", () => {
    expect(tickAfter(ticks, 3)?.sequence).toBe(10);
    expect(tickAfter(ticks, 20)).toBeNull();
    expect(tickBefore(ticks, 10)?.sequence).toBe(3);
    expect(tickBefore(ticks, 3)).toBeNull();
  });

  test("adoptions are kept among many ticks", () => {
    const many = [...Array.from({ length: 500 }, (_, index) => tick(index, "generation")), tick(501, "adoption")];
    const few = thinned(many, 100);
    expect(few.length).toBeLessThanOrEqual(100);
    expect(few.some(({ kind }) => kind === "adoption")).toBe(true);
  });

  test("places are within the line", () => {
    expect([placeOf(0, 10), placeOf(5, 10), placeOf(20, 10), placeOf(0, 0)]).toEqual([0, 50, 100, 0]);
  });
});
