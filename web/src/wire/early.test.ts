// @vitest-environment node
import { afterEach, expect, test, vi } from "vitest";

import { reachable, sendJson, serve } from "../../tests/server";
import type { TestServer } from "../../tests/server";
import { get } from "./client";
import { askEarly, beginning, takeEarly } from "./early";

let server: TestServer | null = null;

afterEach(async () => {
  vi.unstubAllGlobals();
  await server?.close();
});

test.each([
  ["/runs/a-b", "/api/runs/a-b/history"],
  ["/runs/a-b/replay", "/api/runs/a-b/history"],
  ["/files/f/runs/a/replay", "/api/files/f/runs/a/history"],
  ["/files/f/runs/a", "/api/files/f/runs/a/history"],
  ["/runs/a-b/final", null],
  ["/runs", null],
  ["/", null],
])("the page at %s first loads %s", (path, asked) => {
  expect(beginning(path)).toBe(asked);
});

test("an early request is sent once, and its response goes to the first caller", async () => {
  let asked = 0;
  server = await serve((_, response) => sendJson(response, { asked: (asked += 1) }));
  vi.stubGlobal("fetch", reachable(server.origin));
  askEarly("/api/runs/a/history");
  expect(await get("/api/runs/a/history")).toEqual({ asked: 1 });
  expect(await get("/api/runs/a/history")).toEqual({ asked: 2 });
  expect(asked).toBe(2);
});

test("a failed early request is reported to its caller only", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("connection refused")));
  askEarly("/api/runs/a/history");
  await expect(get("/api/runs/a/history")).rejects.toMatchObject({ unreachable: true });
  expect(takeEarly("/api/runs/a/history")).toBeNull();
});
