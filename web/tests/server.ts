/** A real server on loopback with responses defined by the test. */

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestServer {
  readonly origin: string;
  readonly seen: IncomingMessage[];
  close(): Promise<void>;
}

export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin: `http://127.0.0.1:${port}`, seen, close };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, type = "application/json"): void {
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
}

/** A `fetch` that sends the page's paths to the test's server. */
export function reachable(origin: string): typeof fetch {
  const real = globalThis.fetch;
  return (input, init) => real(typeof input === "string" && input.startsWith("/") ? origin + input : input, init);
}
