import { expect, test } from "vitest";

import { fieldsOf, filledIn, initialValues } from "./fields";
import type { JsonObject } from "../../wire/types";

const SCHEMA: JsonObject = {
  type: "object",
  required: ["source", "function"],
  $defs: { Goal: { enum: ["speed", "memory"], title: "Goal", description: "What is better." } },
  properties: {
    seconds: { anyOf: [{ type: "number", exclusiveMinimum: 0, maximum: 600 }, { type: "null" }], default: null },
    source: { type: "string", title: "Program", maxLength: 100000 },
    function: { type: "string", description: "Its name." },
    objective: { $ref: "#/$defs/Goal", default: "speed" },
    tests: { type: "array", items: { type: "string" } },
    weak: { type: "boolean", default: false },
    files: { type: "object", additionalProperties: { type: "string" } },
    slots: { type: "integer", minimum: 1, maximum: 8, default: 2 },
  },
};
const FIELDS = fieldsOf(SCHEMA);
const kinds = Object.fromEntries(FIELDS.map(({ name, kind }) => [name, kind]));

test("each kind of schema has its field", () => {
  expect(kinds).toEqual({
    source: "code",
    function: "text",
    seconds: "number",
    objective: "choice",
    tests: "many",
    weak: "boolean",
    files: "json",
    slots: "integer",
  });
});

test("required fields come first", () => {
  expect(FIELDS.slice(0, 2).map(({ name, required }) => [name, required])).toEqual([
    ["source", true],
    ["function", true],
  ]);
});

test("references are resolved, together with their sibling keys", () => {
  const goal = FIELDS.find(({ name }) => name === "objective");
  expect(goal).toMatchObject({ label: "Goal", help: "What is better.", choices: ["speed", "memory"], initial: "speed" });
});

test("a nullable schema becomes its other part, with its bounds", () => {
  expect(FIELDS.find(({ name }) => name === "seconds")).toMatchObject({ least: 0, most: 600, initial: "" });
});

test("an empty form reports its required fields and sends no empty ones", () => {
  const { inputs, errors } = filledIn(FIELDS, initialValues(FIELDS));
  expect(Object.keys(errors)).toEqual(["source", "function"]);
  expect(inputs).toEqual({ objective: "speed", tests: [], weak: false, slots: 2 });
});

test("an example fills the form and is sent unchanged", () => {
  const example: JsonObject = { source: "def f(): pass\n", function: "f", slots: 3, files: { "a.py": "x" }, tests: ["t"] };
  const { inputs, errors } = filledIn(FIELDS, initialValues(FIELDS, example));
  expect(errors).toEqual({});
  expect(inputs).toMatchObject(example);
});

test.each([
  ["slots", "9", "at most 8"],
  ["slots", "0", "at least 1"],
  ["slots", "1.5", "whole number"],
  ["slots", "many", "number"],
  ["files", "{", "JSON"],
])("%s = %s is rejected: %s", (name, value, why) => {
  const values = { ...initialValues(FIELDS), [name]: value };
  expect(filledIn(FIELDS, values).errors[name]).toContain(why);
});

test("a schema without properties has no fields", () => {
  expect(fieldsOf({ type: "object" })).toEqual([]);
});
