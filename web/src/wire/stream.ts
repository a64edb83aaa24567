/** The stream of changes. It uses fetch, because EventSource cannot send a token, and resumes after an interruption. */

import { problemOf, unreachable } from "./problem";
import type { Problem } from "./problem";
import { noteReach, onceReached } from "./reach";
import { frames } from "./sse";
import type { Frame } from "./sse";
import { authorization, token } from "./token";
import { isTokenRequired, tokenGiven } from "./tokenWanted";
import type { Step } from "./types";

export type Connection = "connecting" | "open" | "lost" | "ended";

export interface StreamHandlers {
  /** Receives steps in order, each once, without gaps. */
  readonly onSteps: (steps: readonly Step[]) => void;
  /** Receives the state of the connection; while lost, `retryAt` is the time of the next attempt, in milliseconds since 1970. */
  readonly onConnection: (connection: Connection, problem: Problem | null, retryAt: number | null) => void;
  /** Called if steps are missing: reload the history, and return the sequence after which the stream continues. */
  readonly onGap: () => Promise<number>;
}

export interface StreamOptions {
  readonly firstWait?: number;
  readonly longestWait?: number;
  /** Milliseconds without any data, heartbeats included, after which the connection is treated as dead. */
  readonly silence?: number;
}

const DEFAULTS = { firstWait: 500, longestWait: 15_000, silence: 45_000 };

/** Reads the stream of one run until it ends or is closed. */
export class ChangeStream {
  private readonly closing = new AbortController();
  private readonly options: Required<StreamOptions>;
  private wait: number;
  private wake: (() => void) | null = null;

  constructor(
    private readonly path: (since: number) => string,
    private known: number,
    private readonly handlers: StreamHandlers,
    options: StreamOptions = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.wait = this.options.firstWait;
  }

  close(): void {
    this.closing.abort();
  }

  private get closed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Read the stream; resolves after the run's last event, or after `close`. */
  async read(): Promise<void> {
    while (!this.closed) {
      this.say("connecting");
      const sent = token();
      const problem = await this.attempt();
      if (this.closed) return;
      if (problem === "ended") return this.say("ended");
      if (problem === "again" || (isTokenRequired(problem) && (await tokenGiven(sent, "once")))) continue;
      const wait = this.nextWait();
      this.say("lost", problem, Date.now() + wait);
      await this.pause(wait);
    }
  }

  /** Skip the current wait and reconnect now. */
  hurry(): void {
    this.wake?.();
  }

  private say(connection: Connection, problem: Problem | null = null, retryAt: number | null = null): void {
    if (!this.closed) this.handlers.onConnection(connection, problem, retryAt);
  }

  private async attempt(): Promise<Problem | "ended" | "again"> {
    const quiet = new AbortController();
    const signal = AbortSignal.any([this.closing.signal, quiet.signal]);
    let watchdog = setTimeout(() => quiet.abort(), this.options.silence);
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => quiet.abort(), this.options.silence);
    };
    try {
      return await this.connect(signal, alive);
    } catch (error) {
      if (!this.closed) noteReach(false);
      return unreachable(error);
    } finally {
      clearTimeout(watchdog);
      quiet.abort();
    }
  }

  private async connect(signal: AbortSignal, alive: () => void): Promise<Problem | "ended" | "again"> {
    const headers: Record<string, string> = { Accept: "text/event-stream", ...authorization() };
    if (this.known >= 0) headers["Last-Event-ID"] = String(this.known);
    const answer = await fetch(this.path(this.known), { headers, signal, cache: "no-store" });
    if (!answer.ok || answer.body === null) return problemOf(answer);
    noteReach(true);
    this.say("open");
    for await (const batch of frames(answer.body, alive)) {
      this.wait = this.options.firstWait;
      const told = await this.take(batch);
      if (told !== null) return told;
    }
    return unreachable("the connection was closed");
  }

  private async take(batch: readonly Frame[]): Promise<"ended" | "again" | null> {
    const steps: Step[] = [];
    let last = this.known;
    let found: "ended" | "gap" | null = null;
    for (const frame of batch) {
      if (frame.event === "end") found = "ended";
      else if (frame.event === "reset") found = "gap";
      else if (frame.event === "changes") {
        const step = JSON.parse(frame.data) as Step;
        if (step.sequence <= last) continue;
        if (step.sequence > last + 1) found = "gap";
        else {
          steps.push(step);
          last = step.sequence;
        }
      }
      if (found !== null) break;
    }
    this.known = last;
    if (steps.length > 0 && !this.closed) this.handlers.onSteps(steps);
    if (found === "gap" && !this.closed) this.known = await this.handlers.onGap();
    return found === "gap" ? "again" : found;
  }

  private nextWait(): number {
    const wait = this.wait * (0.75 + Math.random() / 2); // jitter: not all pages must reconnect at once
    this.wait = Math.min(this.wait * 2, this.options.longestWait);
    return wait;
  }

  private async pause(wait: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = null;
        deaf();
        globalThis.removeEventListener?.("online", done);
        this.closing.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, wait);
      const deaf = onceReached(done);
      this.wake = done;
      globalThis.addEventListener?.("online", done);
      this.closing.signal.addEventListener("abort", done);
    });
  }
}
