import { act, renderHook, waitFor } from "@testing-library/react";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";

import { usePolled } from "./polling";

let server: Server | null = null;

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer((request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "*");
    response.setHeader("Access-Control-Expose-Headers", "ETag");
    if (request.method === "OPTIONS") response.end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve()))));

test("old data are kept while the server fails, and updated when it recovers", async () => {
  let broken = false;
  let count = 0;
  const url = await serve((_, response) => {
    response.statusCode = broken ? 503 : 200;
    response.end(JSON.stringify(broken ? { title: "Busy", code: "busy" } : { total: (count += 1) }));
  });
  const { result } = renderHook(() => usePolled<{ total: number }>(url, {}, 60_000));
  await waitFor(() => expect(result.current.data).toEqual({ total: 1 }));
  broken = true;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current.problem?.code).toBe("busy"));
  expect(result.current.data).toEqual({ total: 1 });
  broken = false;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current.data).toEqual({ total: 2 }));
  expect(result.current.problem).toBeNull();
});
