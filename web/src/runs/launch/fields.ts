/** Form fields from a JSON schema of inputs. Schemas without a matching kind of field become JSON text fields. */

import type { Json, JsonObject } from "../../wire/types";

export type FieldKind = "text" | "code" | "integer" | "number" | "boolean" | "choice" | "many" | "json";

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  readonly choices: readonly string[];
  /** Suggested values for a field that accepts any text. */
  readonly suggestions: readonly string[];
  readonly least: number | null;
  readonly most: number | null;
  readonly longest: number | null;
  readonly initial: FieldValue;
}

/** The value of a field while the user edits it; numbers are text until they are sent. */
export type FieldValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<string, FieldValue>>;

/** Text fields with a maximum length above this have several lines. */
const LONG = 4_000;

/** The fields of an object schema, in its order, required ones first. */
export function fieldsOf(schema: JsonObject): Field[] {
  const properties = record(schema.properties) ?? {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const all = Object.entries(properties).map(([name, told]) => fieldOf(name, resolved(told, schema), required.has(name)));
  return [...all.filter((field) => field.required), ...all.filter((field) => !field.required)];
}

function fieldOf(name: string, schema: JsonObject, required: boolean): Field {
  const kind = kindOf(schema);
  return {
    name,
    kind,
    label: words(schema.title) || spoken(name),
    help: words(schema.description),
    required,
    choices: choicesOf(kind === "many" ? record(schema.items) ?? {} : schema),
    suggestions: Array.isArray(schema.examples) ? schema.examples.map((each) => textOf(each)) : [],
    least: numeric(schema.minimum) ?? numeric(schema.exclusiveMinimum),
    most: numeric(schema.maximum) ?? numeric(schema.exclusiveMaximum),
    longest: numeric(schema.maxLength),
    initial: initialOf(kind, schema.default),
  };
}

/** A schema with its reference resolved; of a nullable schema, the part that is not null. */
function resolved(told: Json | undefined, root: JsonObject): JsonObject {
  const schema = record(told) ?? {};
  const reference = words(schema.$ref);
  if (reference.startsWith("#/")) {
    const { $ref: _, ...beside } = schema;
    return { ...resolved(pointed(root, reference), root), ...beside };
  }
  const anyOf = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const real = anyOf.find((each) => record(each)?.type !== "null");
  if (real === undefined) return schema;
  const { anyOf: _, title, ...beside } = schema;
  return { ...(title === undefined ? {} : { title }), ...resolved(real, root), ...beside };
}

function pointed(root: JsonObject, reference: string): Json | undefined {
  let found: Json | undefined = root;
  for (const step of reference.slice(2).split("/")) found = record(found)?.[step];
  return found;
}

function kindOf(schema: JsonObject): FieldKind {
  if (Array.isArray(schema.enum)) return "choice";
  switch (schema.type) {
    case "string":
      return isCode(schema) ? "code" : "text";
    case "integer":
      return "integer";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return record(schema.items)?.type === "string" ? "many" : "json";
    default:
      return "json";
  }
}

function isCode(schema: JsonObject): boolean {
  return schema.format === "code" || (numeric(schema.maxLength) ?? 0) > LONG;
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function choicesOf(schema: JsonObject): string[] {
  return Array.isArray(schema.enum) ? schema.enum.filter((each) => each !== null).map(String) : [];
}

/** The field value for a JSON value. */
export function initialOf(kind: FieldKind, value: Json | undefined): FieldValue {
  if (kind === "boolean") return value === true;
  if (kind === "many") return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, kind === "json" ? 2 : 0);
}

export function initialValues(fields: readonly Field[], inputs: JsonObject = {}): FormValues {
  return Object.fromEntries(
    fields.map(({ name, kind, initial }) => [name, name in inputs ? initialOf(kind, inputs[name]) : initial]),
  );
}

export type Filled = { inputs: JsonObject; errors: Record<string, string> };

/** The inputs to send, and the errors found in the browser. Empty optional fields are left out. */
export function filledIn(fields: readonly Field[], values: FormValues): Filled {
  const inputs: Record<string, Json> = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const told = read(field, values[field.name] ?? field.initial);
    if ("error" in told) errors[field.name] = told.error;
    else if (told.value !== undefined) inputs[field.name] = told.value;
  }
  return { inputs, errors };
}

type Read = { value: Json | undefined } | { error: string };

function read(field: Field, value: FieldValue): Read {
  if (typeof value === "boolean") return { value };
  if (typeof value !== "string") return value.length > 0 || !field.required ? { value: [...value] } : missing(field);
  if (value.trim() === "") return field.required ? missing(field) : { value: undefined };
  if (field.longest !== null && value.length > field.longest) {
    return { error: `${field.label} is ${value.length} characters long; the limit is ${field.longest}.` };
  }
  switch (field.kind) {
    case "integer":
    case "number":
      return readNumber(field, value);
    case "json":
      return readJson(field, value);
    default:
      return { value };
  }
}

const missing = (field: Field): Read => ({ error: `${field.label} is required.` });

function readNumber({ label, kind, least, most }: Field, text: string): Read {
  const value = Number(text);
  if (!Number.isFinite(value)) return { error: `${label} must be a number.` };
  if (kind === "integer" && !Number.isInteger(value)) return { error: `${label} must be a whole number.` };
  if (least !== null && value < least) return { error: `${label} must be at least ${least}.` };
  if (most !== null && value > most) return { error: `${label} must be at most ${most}.` };
  return { value };
}

function readJson({ label }: Field, text: string): Read {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return { error: `${label} must be valid JSON.` };
  }
}

function record(value: Json | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

const words = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const numeric = (value: Json | undefined): number | null => (typeof value === "number" ? value : null);

function spoken(name: string): string {
  const plain = name.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
