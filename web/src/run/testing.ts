/** A fake server for tests of the run page: it serves a run's steps, and tests can feed and cut its stream. */

import { historyOf } from "../../tests/random_run";
import type { CandidateDetail, Step } from "../wire/types";

interface Open {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  sent: number;
}

export class FakeServer {
  /** For each stream, the event after which it was requested to continue. */
  readonly askedAfter: number[] = [];
  readonly posted: { readonly path: string; readonly body: string; readonly key: string | null }[] = [];
  /** The response about any candidate. */
  candidate: Partial<CandidateDetail> = {};
  /** The response about the run's health. */
  health: Record<string, unknown> = { conducted: "here", stalled: false };
  private open: Open | null = null;
  private known: number;
  private down = false;

  constructor(
    private readonly steps: readonly Step[],
    /** The number of steps that have happened when the page loads. */
    before: number,
    private readonly config: Record<string, unknown> = {},
  ) {
    this.known = before;
  }

  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (this.down) return Promise.reject(new TypeError("fetch failed"));
    const url = new URL(String(input), "http://localhost");
    if (init?.method === "POST") return Promise.resolve(this.post(url, init));
    if (url.pathname.endsWith("/history")) return Promise.resolve(Response.json(historyOf(this.steps.slice(0, this.known))));
    if (url.pathname.endsWith("/stream")) return Promise.resolve(this.stream(url, init));
    if (url.pathname.includes("/candidates/")) return Promise.resolve(Response.json(this.candidate));
    if (url.pathname.endsWith("/health")) return Promise.resolve(Response.json(this.health));
    return Promise.resolve(Response.json({ config: { alpha: 0.05, ...this.config }, conducted: "here" }));
  };

  private post(url: URL, init: RequestInit): Response {
    const key = new Headers(init.headers).get("Idempotency-Key");
    this.posted.push({ path: url.pathname, body: String(init.body), key });
    return Response.json({ run_id: "r", command_id: "0000-command", kind: "stop", already: false }, { status: 202 });
  }

  private stream(url: URL, init?: RequestInit): Response {
    const after = Number(new Headers(init?.headers).get("Last-Event-ID") ?? url.searchParams.get("since"));
    this.askedAfter.push(after);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.open = { controller, sent: after };
        this.push(this.open);
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }

  /** Let `count` more steps happen and push them to the stream; with `twice`, each step two times. */
  happen(count: number, twice = false): void {
    this.known = Math.min(this.known + count, this.steps.length);
    if (this.open !== null) this.push(this.open, twice);
  }

  private push(open: Open, twice = false): void {
    const news = this.steps.slice(open.sent + 1, this.known);
    open.sent = this.known - 1;
    const told = news.map((step) => `id: ${step.sequence}\nevent: changes\ndata: ${JSON.stringify(step)}\n\n`);
    for (const text of told) open.controller.enqueue(new TextEncoder().encode(twice ? text + text : text));
  }

  /** Break the connection and refuse requests until `answer` or `mend`. */
  cut(): void {
    this.down = true;
    this.open?.controller.error(new TypeError("network error"));
    this.open = null;
  }

  /** Accept requests again, without telling the page. */
  answer(): void {
    this.down = false;
  }

  mend(): void {
    this.answer();
    window.dispatchEvent(new Event("online"));
  }
}
