// @vitest-environment node
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";

import { askIfChanged } from "./polling";

test("what has not changed is not sent again", async () => {
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
