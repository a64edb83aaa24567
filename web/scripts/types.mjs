// Writes src/wire/schema.ts from openapi.json, the schema that the server tells of itself.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const HEAD = "// Made from openapi.json by `npm run types`; do not edit.\n\n";
const from = new URL(process.argv[2] ?? "../openapi.json", import.meta.url);
const into = new URL(process.argv[3] ?? "../src/wire/schema.ts", import.meta.url);

const tree = await openapiTS(JSON.parse(readFileSync(from, "utf8")), { alphabetize: true, defaultNonNullable: true });
writeFileSync(into, HEAD + astToString(tree));
