import { expect, test } from "vitest";

import { Problem } from "../../wire/problem";
import { fieldErrors, isUnplaced, Intents, requestOf, seedError } from "./request";
import type { Wishes } from "./request";

const wishes: Wishes = {
  domain: "programs",
  inputs: { source: "x" },
  part: "inputs",
  caps: {},
  seed: "",
  problem: " ",
  models: false,
};

test("empty values are not sent", () => {
  expect(requestOf(wishes)).toEqual({ domain: "programs", inputs: { source: "x" } });
});

test("seed and caps are sent if they are set", () => {
  expect(requestOf({ ...wishes, seed: "7", caps: { max_tokens: 5 } })).toMatchObject({
    rng_seed: 7,
    caps: { max_tokens: 5 },
  });
});

test("inputs can be sent as the configuration, and models are used only if requested", () => {
  expect(requestOf({ ...wishes, part: "config", models: true })).toEqual({
    domain: "programs",
    config: { source: "x" },
    model_profile: "live",
  });
});

test.each(["-1", "1.5", "x", "9007199254740993"])("%s is not a seed", (seed) => {
  expect(seedError(seed)).toContain("whole number");
});

test("the same form has the same key, and a different form a different one", () => {
  const intents = new Intents();
  const key = intents.keyFor(requestOf(wishes));
  expect(intents.keyFor(requestOf({ ...wishes }))).toBe(key);
  expect(intents.keyFor(requestOf({ ...wishes, seed: "1" }))).not.toBe(key);
});

test("after a launch, the same form launches another run", () => {
  const intents = new Intents();
  const key = intents.keyFor(requestOf(wishes));
  intents.done();
  expect(intents.keyFor(requestOf(wishes))).not.toBe(key);
});

test("problems are shown at their fields", () => {
  const told = [
    { where: "inputs.source", message: "does not parse" },
    { where: "body.caps.max_tokens", message: "above the ceiling" },
    { where: "rng_seed", message: "no" },
  ];
  const { fields, caps } = fieldErrors(new Problem(422, "Refused", "", "x", null, told));
  expect(fields).toEqual({ source: "does not parse", rng_seed: "no" });
  expect(caps).toEqual({ max_tokens: "above the ceiling" });
});

test("a rejection without fields is shown at the field that the domain assigns to its code", () => {
  const problem = new Problem(422, "Refused", "line 1 does not parse", "source_not_python");
  expect(fieldErrors(problem, { source_not_python: "source" }).fields).toEqual({ source: "line 1 does not parse" });
  expect(fieldErrors(problem).fields).toEqual({});
});

test("a problem is unplaced only if no field shows it", () => {
  const shown = new Set(["source", "max_tokens"]);
  expect(isUnplaced({ fields: { source: "no" }, caps: { max_tokens: "no" } }, shown)).toBe(false);
  expect(isUnplaced({ fields: { source: "no", colour: "no" }, caps: {} }, shown)).toBe(true);
  expect(isUnplaced({ fields: {}, caps: {} }, shown)).toBe(true);
});
