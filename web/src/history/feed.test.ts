// @vitest-environment node
import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { historyOf, randomRun, RUN } from "../../tests/random_run";
import { reachable, sendJson, serve } from "../../tests/server";
import type { TestServer } from "../../tests/server";
import { RunApi } from "../wire/api";
import type { Step } from "../wire/types";
import { RunFeed } from "./feed";

const STEPS = randomRun(5, 80, true);
const frame = (step: Step) => `id: ${step.sequence}\nevent: changes\ndata: ${JSON.stringify(step)}\n\n`;

let server: TestServer;
let known = 40;
let stream: (response: ServerResponse, since: number) => void = () => undefined;

beforeEach(async () => {
  known = 40;
  server = await serve((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    if (url.pathname.endsWith("/history")) return sendJson(response, historyOf(STEPS.slice(0, known)));
    if (!url.pathname.endsWith("/stream")) return sendJson(response, { title: "No run" }, 404);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    return stream(response, Number(url.searchParams.get("since")));
  });
  vi.stubGlobal("fetch", reachable(server.origin));
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

test("a run is loaded and followed to its end", async () => {
  stream = (response, since) => response.end(`${STEPS.slice(since + 1).map(frame).join("")}event: end\ndata: {}\n\n`);
  const feed = new RunFeed(new RunApi(RUN));
  await feed.start();
  expect(feed.state).toMatchObject({ phase: "ready", connection: "ended" });
  expect(feed.history.sequence).toBe(STEPS.length - 1);
  expect(feed.history.latest().run.over).toBe(true);
});

test("everything received is shown before the connection is reported as lost or ended", async () => {
  const shown: [string, number][] = [];
  stream = (response, since) => {
    const rest = STEPS.slice(since + 1);
    if (since < 59) response.end(rest.slice(0, 20).map(frame).join(""));
    else response.end(`${rest.map(frame).join("")}event: end\ndata: {}\n\n`);
  };
  const feed = new RunFeed(new RunApi(RUN));
  feed.subscribe(() => shown.push([feed.state.connection, feed.history.sequence]));
  await feed.start();
  expect(shown).toContainEqual(["lost", 59]);
  expect(shown).toContainEqual(["ended", STEPS.length - 1]);
  expect(shown).not.toContainEqual(["lost", 39]);
});

test("steps missing from the stream are loaded", async () => {
  stream = (response, since) => {
    known = 60;
    const from = since < 59 ? since + 5 : since + 1;
    response.end(`${STEPS.slice(from).map(frame).join("")}event: end\ndata: {}\n\n`);
  };
  const feed = new RunFeed(new RunApi(RUN));
  await feed.start();
  expect(feed.history.sequence).toBe(STEPS.length - 1);
  expect(server.seen.filter((request) => request.url?.endsWith("/history"))).toHaveLength(2);
});

test("an ended run and a run from a file are not followed", async () => {
  known = STEPS.length;
  const over = new RunFeed(new RunApi(RUN));
  await over.start();
  known = 30;
  const file = new RunFeed(new RunApi(RUN, "file"));
  await file.start();
  expect([over.state.connection, file.state.connection]).toEqual(["ended", "ended"]);
  expect(server.seen.every((request) => request.url?.endsWith("/history"))).toBe(true);
});

test("a run that cannot be loaded reports the reason, and can be retried", async () => {
  await server.close();
  const feed = new RunFeed(new RunApi(RUN, "file"));
  await feed.start();
  expect(feed.state).toMatchObject({ phase: "failed", problem: { code: "unreachable" } });
  server = await serve((_, response) => sendJson(response, historyOf(STEPS)));
  vi.unstubAllGlobals();
  vi.stubGlobal("fetch", reachable(server.origin));
  await feed.start();
  expect(feed.state.phase).toBe("ready");
});

test("a feed that was stopped while loading can be started again", async () => {
  const feed = new RunFeed(new RunApi(RUN, "file"));
  const first = feed.start();
  feed.stop();
  const second = feed.start();
  await Promise.all([first, second]);
  expect(feed.state.phase).toBe("ready");
  expect(feed.history.sequence).toBe(39);
});
