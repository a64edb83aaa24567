// Writes src/wire/schema.ts from openapi.json, the server's own description; an argument names another output file.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const HEAD = '// Made from openapi.json by `make page-types`; do not edit.\n\nimport type { Json } from "./json";\n\n';
const from = new URL("../openapi.json", import.meta.url);
const into = process.argv[2] ?? new URL("../src/wire/schema.ts", import.meta.url);

const tree = await openapiTS(JSON.parse(readFileSync(from, "utf8")), {
  alphabetize: true,
  defaultNonNullable: false,
  immutable: true,
});
// Untyped values and properties are arbitrary JSON.
const told = astToString(tree).replaceAll(/(readonly JsonValue|readonly \[key: string\]): unknown;/g, "$1: Json;");
writeFileSync(into, HEAD + told);
