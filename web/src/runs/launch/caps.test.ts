import { expect, test } from "vitest";

import { capFields, capsToSend, clamped, onWire, sliderOf, valueAt } from "./caps";
import type { CapField } from "./caps";

const FIELDS = capFields(
  { max_tokens: 2_000_000, max_cost_microusd: 5_000_000, wall_clock_ms: 9_000_000, unlimited: null },
  { max_tokens: 10_000_000, max_cost_microusd: 20_000_000, wall_clock_ms: 3_600_000, unlimited: null },
);
const field = (name: string): CapField => {
  const found = FIELDS.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

test("money is shown in dollars and time in seconds; a default above the ceiling is the ceiling", () => {
  expect(field("max_cost_microusd")).toMatchObject({ initial: 5, ceiling: 20 });
  expect(field("wall_clock_ms")).toMatchObject({ initial: 3600, ceiling: 3600 });
});

test("a cap without a ceiling has no field", () => {
  expect(FIELDS.map(({ name }) => name)).not.toContain("unlimited");
});

test("values above the ceiling are clamped, with a note", () => {
  expect(clamped("99000000", field("max_tokens"))).toEqual({
    value: 10_000_000,
    note: "The ceiling of this server is 10,000,000.",
  });
  expect(capsToSend(FIELDS, { max_tokens: "1e99", max_cost_microusd: "1000" })).toEqual({
    max_tokens: 10_000_000,
    max_cost_microusd: 20_000_000,
  });
});

test.each(["", "much", "NaN", "Infinity"])("%j is not a number: the default applies", (typed) => {
  expect(clamped(typed, field("max_tokens")).value).toBe(2_000_000);
});

test("negative caps become 0, and fractions of tokens are cut off", () => {
  expect(clamped("-4", field("max_tokens")).value).toBe(0);
  expect(clamped("7.9", field("max_tokens")).value).toBe(7);
  expect(clamped("0.25", field("max_cost_microusd"))).toEqual({ value: 0.25, note: null });
});

test("only caps that are set are sent, in API units", () => {
  expect(capsToSend(FIELDS, { max_tokens: " ", max_cost_microusd: "0.3" })).toEqual({ max_cost_microusd: 300_000 });
  expect(capsToSend(FIELDS, { max_tokens: "2000000" })).toEqual({ max_tokens: 2_000_000 });
  expect(onWire(0.1, field("wall_clock_ms"))).toBe(100);
});

test("the slider starts at 0 and ends exactly at the ceiling", () => {
  for (const each of FIELDS) {
    expect(valueAt(1000, each)).toBe(each.ceiling);
    expect(valueAt(0, each)).toBe(0);
    expect(sliderOf(each.ceiling, each.ceiling)).toBe(1000);
  }
});

test("the slider is monotonic and never exceeds the ceiling", () => {
  const places = Array.from({ length: 1001 }, (_, place) => valueAt(place, field("max_tokens")));
  expect(Math.max(...places)).toBe(10_000_000);
  expect(places.every((value, place) => place === 0 || value >= (places[place - 1] ?? 0))).toBe(true);
});
