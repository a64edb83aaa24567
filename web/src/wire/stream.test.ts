// @vitest-environment node
import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { reachable, serve } from "../../tests/server";
import type { TestServer } from "../../tests/server";
import { noteReach } from "./reach";
import { ChangeStream } from "./stream";
import type { Connection } from "./stream";

const step = (sequence: number) =>
  `id: ${sequence}\nevent: changes\ndata: ${JSON.stringify({ sequence, at: "2026-01-01T00:00:00Z", type: "x", changes: [] })}\n\n`;
const END = 'event: end\ndata: {"sequence": 0}\n\n';

let server: TestServer;
let visits: ((response: ServerResponse) => void)[] = [];

beforeEach(async () => {
  visits = [];
  server = await serve((_, response) => {
    const visit = visits.shift();
    if (visit === undefined) return response.writeHead(503).end("{}");
    if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream" });
    visit(response);
    return undefined;
  });
  vi.stubGlobal("fetch", reachable(server.origin));
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

interface Followed {
  readonly sequences: number[];
  readonly connections: Connection[];
  gaps: number;
}

async function follow(since: number, afterGap = since): Promise<Followed> {
  const told: Followed = { sequences: [], connections: [], gaps: 0 };
  const stream = new ChangeStream(
    (known) => `/stream?since=${known}`,
    since,
    {
      onSteps: (steps) => told.sequences.push(...steps.map((each) => each.sequence)),
      onConnection: (connection) => told.connections.push(connection),
      onGap: async () => {
        told.gaps += 1;
        return afterGap;
      },
    },
    { firstWait: 5, longestWait: 20 },
  );
  await stream.read();
  return told;
}

test("an interrupted stream is resumed, without duplicate steps", async () => {
  visits = [
    (response) => response.write(step(0) + step(1), () => response.destroy()),
    (response) => response.end(step(1) + step(2)),
    (response) => response.end(step(3) + END),
  ];
  const told = await follow(-1);
  expect(told.sequences).toEqual([0, 1, 2, 3]);
  expect(told.connections.at(-1)).toBe("ended");
  expect(told.connections).toContain("lost");
  expect(server.seen.map((request) => request.headers["last-event-id"])).toEqual([undefined, "1", "2"]);
  expect(server.seen.map((request) => request.url)).toEqual(["/stream?since=-1", "/stream?since=1", "/stream?since=2"]);
});

test("after a gap the history is reloaded, and the stream continues from there", async () => {
  visits = [(response) => response.end(step(0) + step(4)), (response) => response.end(step(8) + END)];
  const told = await follow(-1, 7);
  expect(told).toMatchObject({ sequences: [0, 8], gaps: 1 });
  expect(server.seen[1]?.headers["last-event-id"]).toBe("7");
});

test("a reset by the server is handled as a gap", async () => {
  visits = [(response) => response.end('event: reset\ndata: {"sequence": 90}\n\n'), (response) => response.end(step(91) + END)];
  const told = await follow(3, 90);
  expect(told).toMatchObject({ sequences: [91], gaps: 1 });
});

test("a failed request is retried", async () => {
  visits = [
    (response) => response.destroy(),
    (response) => response.end(END),
  ];
  const told = await follow(5);
  expect(told.sequences).toEqual([]);
  expect(told.connections).toEqual(["connecting", "lost", "connecting", "open", "ended"]);
});

test("a closed stream reports nothing more", async () => {
  visits = [(response) => response.write(step(0))];
  const heard = vi.fn();
  const stream = new ChangeStream((known) => `/stream?since=${known}`, -1, {
    onSteps: () => stream.close(),
    onConnection: heard,
    onGap: async () => -1,
  });
  await stream.read();
  expect(heard.mock.calls.map(([connection]) => connection)).toEqual(["connecting", "open"]);
});

test("a waiting stream retries at once when another call gets a response", async () => {
  visits = [(response) => response.destroy(), (response) => response.end(END)];
  const heard: Connection[] = [];
  const onConnection = (connection: Connection) => {
    heard.push(connection);
    if (connection === "lost") setTimeout(() => noteReach(true), 5);
  };
  const handlers = { onSteps: () => undefined, onConnection, onGap: async () => -1 };
  await new ChangeStream((known) => `/stream?since=${known}`, -1, handlers, { firstWait: 600_000 }).read();
  expect(heard).toEqual(["connecting", "lost", "connecting", "open", "ended"]);
});
