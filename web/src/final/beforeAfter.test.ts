import { expect, test } from "vitest";

import type { Detail, VerdictItem } from "../candidate/wire";
import { better, changeText, pairsOf } from "./beforeAfter";
import type { Pair } from "./beforeAfter";

const scored = (total: number, components: Record<string, number>) => ({ fitness: { total, components } }) as unknown as Detail;
const verdict = {
  verdict: {
    metrics: { time: { higher_is_better: false, baseline: { median: 0.74 }, candidate: { median: 0.0039 } } },
    summaries: { baseline: { cpu_s: 0.7, pass_rate: 1 }, candidate: { cpu_s: 0.03, pass_rate: 1 } },
  },
} as unknown as VerdictItem;

test("fitness, metrics and summaries are paired", () => {
  const pairs = pairsOf({ founder: scored(0, { speed: 0 }), winner: scored(6.4, { speed: 6.4 }), verdict });
  expect(pairs.map(({ name, before, after }) => [name, before, after])).toEqual([
    ["fitness", 0, 6.4],
    ["time", 0.74, 0.0039],
    ["pass_rate", 1, 1],
    ["cpu_s", 0.7, 0.03],
  ]);
});

test("components of a fitness are shown if there are several", () => {
  const pairs = pairsOf({ founder: null, winner: scored(3, { speed: 1, size: 2 }), verdict: null });
  expect(pairs.map(({ name }) => name)).toEqual(["fitness", "fitness-speed", "fitness-size"]);
  expect(pairs[0]?.before).toBeNull();
});

test("without data there are no pairs", () => {
  expect(pairsOf({ founder: null, winner: null, verdict: null })).toEqual([]);
});

const pair = (before: number | null, after: number | null, higherIsBetter: boolean | null = true): Pair => ({
  name: "x",
  label: "x",
  before,
  after,
  unit: "",
  higherIsBetter,
});

test("the better side depends on the direction", () => {
  expect(better(pair(1, 2))).toBe("after");
  expect(better(pair(1, 2, false))).toBe("before");
  expect(better(pair(1, 1))).toBeNull();
  expect(better(pair(null, 1))).toBeNull();
});

test.each([
  [pair(0.74, 0.004), "185× less"],
  [pair(10, 11), "+10%"],
  [pair(0, 6.4), "+6.4"],
  [pair(-1, -2), "−1"],
  [pair(2, 2), "the same"],
  [pair(null, 2), "–"],
])("%o is shown as %s", (given, told) => {
  expect(changeText(given)).toBe(told);
});

test("a difference within the measurement noise is about the same; a share is counted, so it has no noise", () => {
  const memory = { ...pair(1_000_000, 1_000_300), unit: "bytes", higherIsBetter: false } as const;
  expect([changeText(memory), better(memory)]).toEqual(["about the same", null]);
  const passed = { ...pair(1, 0.997), unit: "share", higherIsBetter: true } as const;
  expect(better(passed)).toBe("before");
});
