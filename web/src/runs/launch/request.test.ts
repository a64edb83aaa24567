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

test("what was left empty is not sent", () => {
  expect(requestOf(wishes)).toEqual({ domain: "programs", inputs: { source: "x" } });
});

test("seed and caps are sent where they were given", () => {
  expect(requestOf({ ...wishes, seed: "7", caps: { max_tokens: 5 } })).toMatchObject({
    rng_seed: 7,
    caps: { max_tokens: 5 },
  });
});

test("a domain without a form of its own is told its configuration, and models join only where they are wanted", () => {
  expect(requestOf({ ...wishes, part: "config", models: true })).toEqual({
    domain: "programs",
    config: { source: "x" },
    model_profile: "live",
  });
});

test.each(["-1", "1.5", "x", "9007199254740993"])("%s is no seed", (seed) => {
  expect(seedError(seed)).toContain("whole number");
});

test("the same form has the same key, another form another one", () => {
  const intents = new Intents();
  const key = intents.keyFor(requestOf(wishes));
  expect(intents.keyFor(requestOf({ ...wishes }))).toBe(key);
  expect(intents.keyFor(requestOf({ ...wishes, seed: "1" }))).not.toBe(key);
});

test("after a run has begun, the same form means another run", () => {
  const intents = new Intents();
  const key = intents.keyFor(requestOf(wishes));
  intents.done();
  expect(intents.keyFor(requestOf(wishes))).not.toBe(key);
});

test("problems go to their fields", () => {
  const told = [
    { where: "inputs.source", message: "does not parse" },
    { where: "body.caps.max_tokens", message: "above the ceiling" },
    { where: "rng_seed", message: "no" },
  ];
  const { fields, caps } = fieldErrors(new Problem(422, "Refused", "", "x", null, told));
  expect(fields).toEqual({ source: "does not parse", rng_seed: "no" });
  expect(caps).toEqual({ max_tokens: "above the ceiling" });
});

test("a refusal without fields goes to the field that its code is about, as the domain says", () => {
  const problem = new Problem(422, "Refused", "line 1 does not parse", "source_not_python");
  expect(fieldErrors(problem, { source_not_python: "source" }).fields).toEqual({ source: "line 1 does not parse" });
  expect(fieldErrors(problem).fields).toEqual({});
});

test("a box of its own is only for what stands beside no field", () => {
  const shown = new Set(["source", "max_tokens"]);
  expect(isUnplaced({ fields: { source: "no" }, caps: { max_tokens: "no" } }, shown)).toBe(false);
  expect(isUnplaced({ fields: { source: "no", colour: "no" }, caps: {} }, shown)).toBe(true);
  expect(isUnplaced({ fields: {}, caps: {} }, shown)).toBe(true);
});
