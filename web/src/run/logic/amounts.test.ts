import { describe, expect, test } from "vitest";

import { few, fitness, nick, percent, short, whole } from "./amounts";
import { capUses } from "./caps";
import { STALLED_AFTER_MS, pulseOf } from "./pulse";

describe("amounts", () => {
  test.each([
    [0, "0"],
    [1234, "1,234"],
    [12_345, "12.3K"],
    [2_000_000, "2M"],
    [5.644139, "5.64"],
    [0.0123, "0.0123"],
    [-0.25, "-0.25"],
    [null, "–"],
  ])("%f is short as %s", (value, told) => expect(short(value)).toBe(told));

  test.each([
    [0, "0"],
    [11.774, "12"],
    [-0.081, "-0.081"],
    [0.00389, "0.0039"],
    [-0.000002, "-2e-6"],
    [123_456, "123.5K"],
  ])("%f is %s in a cell", (value, told) => expect(few(value)).toBe(told));

  test("fitness, percent, counts and names", () => {
    expect([fitness(5.644139), fitness(0.0045121), fitness(0), fitness(null)]).toEqual(["5.644", "0.00451", "0.000", "–"]);
    expect([percent(0.5), percent(0.0304), percent(0.0001), percent(0)]).toEqual(["50%", "3.0%", "<0.1%", "0.0%"]);
    expect([whole(1234.4), whole(null)]).toEqual(["1,234", "–"]);
    expect([nick("candidate-33.0-a651f986"), nick("genome-6-a3e49e71")]).toEqual(["c33.0", "g6"]);
  });
});

describe("caps", () => {
  test("each has its share, and a full one is marked", () => {
    const uses = capUses({ energy_budget: 100, max_tokens: 10, max_candidates: 4 }, { energy_budget: 85, max_tokens: 1, max_candidates: 4 });
    expect(uses.map(({ name, share, level }) => [name, share, level])).toEqual([
      ["energy_budget", 0.85, "near"],
      ["max_tokens", 0.1, "calm"],
      ["max_candidates", 1, "full"],
    ]);
  });

  test("caps with unknown usage are left out", () => {
    expect(capUses({ max_tool_calls: 5 }, {})).toEqual([]);
    expect(capUses({}, { max_tool_calls: 5 })[0]).toMatchObject({ used: 5, limit: null, share: null });
  });
});

describe("the pulse of a run", () => {
  test("a conducted run without events becomes stale", () => {
    expect(pulseOf("running", 0, STALLED_AFTER_MS)).toBe("beating");
    expect(pulseOf("running", 0, STALLED_AFTER_MS + 1)).toBe("stale");
  });

  test("a run that has ended or not begun is never stale", () => {
    expect(pulseOf("completed", 0, 1e9)).toBe("over");
    expect(pulseOf("configured", 0, 1e9)).toBe("waiting");
    expect(pulseOf(null, null, 1e9)).toBe("waiting");
  });
});
