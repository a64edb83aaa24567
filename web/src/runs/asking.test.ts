// @vitest-environment node
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";

import * as reach from "../wire/reach";
import { askIfChanged } from "./polling";

test("unchanged data are not sent again", async () => {
  vi.stubGlobal("window", { sessionStorage: { getItem: () => null } });
  const server = createServer((request, response) => {
    response.statusCode = request.headers["if-none-match"] === '"7"' ? 304 : 200;
    response.setHeader("ETag", '"7"');
    response.end(response.statusCode === 304 ? undefined : JSON.stringify({ total: 3 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  const first = await askIfChanged<{ total: number }>(url, null, signal);
  expect(first).toEqual({ data: { total: 3 }, tag: '"7"' });
  expect(await askIfChanged(url, '"7"', signal)).toBeNull();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("every call records whether the server responded", async () => {
  const noted = vi.spyOn(reach, "noteReach").mockReturnValue();
  const { signal } = new AbortController();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  await expect(askIfChanged("/api/runs", null, signal)).rejects.toMatchObject({ code: "unreachable" });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({})));
  await askIfChanged("/api/runs", null, signal);
  expect(noted.mock.calls).toEqual([[false], [true]]);
});
