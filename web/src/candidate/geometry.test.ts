import { expect, test } from "vitest";

import type { Interval } from "../wire/types";
import { drawn, scaleOf, steps } from "./geometry";

const interval = (estimate: number, lower: number | null, upper: number | null): Interval => ({
  name: "time",
  estimate,
  lower,
  upper,
  alpha: 0.03,
  method: "log_ratio",
});
const NONE = { low: null, high: null, closed: false };

test("the order on the drawing is the order of the numbers", () => {
  const { from, estimate, to, lines } = drawn(interval(0.0053, 0.0045, 0.0063), { low: null, high: 1, closed: false }, true);
  expect(from).toBeLessThan(estimate);
  expect(estimate).toBeLessThan(to);
  expect(to).toBeLessThan(lines[0]?.at ?? 0);
});

test("on a logarithmic scale equal ratios are equal lengths", () => {
  const { at } = scaleOf([0.01, 1], true);
  expect(at(0.1) - at(0.01)).toBeCloseTo(at(1) - at(0.1), 10);
});

test("numbers without a logarithm are drawn on a linear scale", () => {
  const { from, to } = drawn(interval(0, 0, 0.0199), { low: null, high: 0.02, closed: true }, true);
  expect(from).toBeGreaterThan(0);
  expect(to).toBeLessThan(1);
});

test("an unbounded end extends to the edge and is marked as open", () => {
  expect(drawn(interval(1, null, 2), NONE)).toMatchObject({ from: 0, openLeft: true, openRight: false });
  expect(drawn(interval(1, 0, null), NONE)).toMatchObject({ to: 1, openRight: true });
});

test("the required range extends from the bound to the correct edge", () => {
  const upTo = drawn(interval(0.5, 0.4, 0.6), { low: null, high: 1, closed: false });
  expect(upTo.allowed?.from).toBe(0);
  expect(upTo.allowed?.to).toBe(upTo.lines[0]?.at);
  const within = drawn(interval(0, -0.1, 0.1), { low: -0.2, high: 0.2, closed: false });
  expect(within.allowed?.from).toBe(within.lines[0]?.at);
  expect(within.allowed?.to).toBe(within.lines[1]?.at);
});

test("everything is inside the drawing, even if all numbers are equal", () => {
  const { estimate, from, to } = drawn(interval(0, 0, 0), NONE);
  for (const place of [estimate, from, to]) expect(place).toBeGreaterThan(0);
  for (const place of [estimate, from, to]) expect(place).toBeLessThan(1);
});

test("ticks are round and within", () => {
  expect(steps(-0.0016, 0.0216)).toEqual([0, 0.005, 0.01, 0.015, 0.02]);
  for (const { at } of scaleOf([0.0045, 1], true).ticks) expect(at).toBeGreaterThanOrEqual(0);
});

test("a short scale of ratios has more than one tick", () => {
  const { ticks } = scaleOf([0.6155, 1.276], true);
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.map(({ value }) => value)).toContain(1);
});
