// @vitest-environment node
import { afterEach, expect, test, vi } from "vitest";

import { reachable, sendJson, serve } from "../../tests/server";
import type { TestServer } from "../../tests/server";
import { api, RunApi } from "./api";
import { address, get, post } from "./client";
import { Problem } from "./problem";

let server: TestServer | null = null;

async function serving(...answer: Parameters<typeof serve>): Promise<TestServer> {
  server = await serve(...answer);
  vi.stubGlobal("fetch", reachable(server.origin));
  return server;
}

afterEach(async () => {
  vi.unstubAllGlobals();
  await server?.close();
});

async function problemFrom(call: Promise<unknown>): Promise<Problem> {
  const error: unknown = await call.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

test("a problem of the server keeps its fields", async () => {
  const told = { title: "Not so", detail: "too much", code: "cap_above_ceiling", hint: "less", fields: [{ where: "caps", message: "no" }] };
  await serving((_, response) => sendJson(response, told, 422, "application/problem+json"));
  const problem = await problemFrom(get("/api/runs"));
  expect(problem).toMatchObject({ status: 422, code: "cap_above_ceiling", hint: "less", fields: told.fields });
  expect(problem.message).toBe("Not so: too much");
});

test("an error response without a problem document is a problem too", async () => {
  await serving((_, response) => response.writeHead(502).end("<html>"));
  expect(await problemFrom(get("/api/runs"))).toMatchObject({ status: 502, code: "http_502", unreachable: false });
});

test("an unreachable server is a problem with a hint", async () => {
  await (await serving(() => undefined)).close();
  expect(await problemFrom(get("/api/runs"))).toMatchObject({ status: 0, unreachable: true, code: "unreachable" });
});

test("a write has its own key, or that of an earlier attempt", async () => {
  const { seen } = await serving((_, response) => sendJson(response, { run_id: "r" }, 201));
  await post("/api/runs", { domain: "texts" });
  await post("/api/runs", { domain: "texts" });
  await post("/api/runs", { domain: "texts" }, { key: "again" });
  const keys = seen.map((request) => request.headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe("again");
});

test("a file is closed with a key, and an empty response is accepted", async () => {
  const { seen } = await serving((_, response) => response.writeHead(204).end());
  await api.close("f1");
  expect([seen[0]?.method, seen[0]?.url]).toEqual(["DELETE", "/api/files/f1"]);
  expect(seen[0]?.headers["idempotency-key"]).toBeTruthy();
});

test("a run from a file is read below the path of the file", async () => {
  const { seen } = await serving((_, response) => sendJson(response, {}));
  await new RunApi("a/b").health();
  await new RunApi("a", "f").candidate("c");
  expect(seen.map((request) => request.url)).toEqual(["/api/runs/a%2Fb/health", "/api/files/f/runs/a/candidates/c"]);
});

test("parameters without a value are left out", () => {
  expect(address("/x", { a: 1, b: null, c: undefined, d: "", e: "ü", f: 0 })).toBe("/x?a=1&e=%C3%BC&f=0");
});
