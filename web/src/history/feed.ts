/** Keeps a run's store up to date: loads its history, then applies the steps that the server pushes. */

import { RunApi } from "../wire/api";
import { asProblem } from "../wire/problem";
import type { Problem } from "../wire/problem";
import { ChangeStream } from "../wire/stream";
import type { Connection } from "../wire/stream";
import { TERMINAL } from "../wire/types";
import type { Step } from "../wire/types";
import { RunHistory } from "./RunHistory";

export interface FeedState {
  /** `loading` until there is something to show, `failed` if loading failed, otherwise `ready`. */
  readonly phase: "loading" | "failed" | "ready";
  readonly connection: Connection;
  readonly problem: Problem | null;
  /** While the connection is lost: the time of the next attempt, in milliseconds since 1970. */
  readonly retryAt: number | null;
}

/** Minimum time between two updates of the page, in milliseconds: rendering every step at once would be too slow. */
const FLUSH_EVERY = 125;

/** The feed of one run, live or (with `api.file`) from an opened file that never changes. */
export class RunFeed {
  readonly history: RunHistory;
  state: FeedState = { phase: "loading", connection: "connecting", problem: null, retryAt: null };
  private readonly listeners = new Set<() => void>();
  private waiting: Step[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private stream: ChangeStream | null = null;
  private aborting = new AbortController();

  constructor(readonly api: RunApi) {
    this.history = new RunHistory(api.runId);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getState = (): FeedState => this.state;

  /** Load, then follow. Call it once, and again after a failure. */
  async start(): Promise<void> {
    const aborting = new AbortController();
    this.aborting = aborting;
    this.set({ phase: "loading", connection: "connecting", problem: null, retryAt: null });
    try {
      await this.load();
    } catch (error) {
      if (!aborting.signal.aborted) this.set({ phase: "failed", connection: "lost", problem: asProblem(error), retryAt: null });
      return;
    }
    if (aborting.signal.aborted) return; // stopped while loading
    if (this.api.file !== null || this.over) return this.set({ phase: "ready", connection: "ended", problem: null, retryAt: null });
    this.set({ phase: "ready", connection: "connecting", problem: null, retryAt: null });
    await this.follow();
  }

  stop(): void {
    this.aborting.abort();
    this.stream?.close();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.waiting = [];
  }

  /** Retry a lost connection now; loaded data are kept. */
  reconnect(): void {
    this.stream?.hurry();
  }

  private get over(): boolean {
    const { status } = this.history.latest().run;
    return status !== null && TERMINAL.has(status);
  }

  private async load(): Promise<number> {
    const { signal } = this.aborting;
    const told = await this.api.history({ signal });
    if (!signal.aborted) this.history.load(told);
    return this.history.sequence;
  }

  private async follow(): Promise<void> {
    this.stream = new ChangeStream(this.api.stream, this.history.sequence, {
      onSteps: (steps) => this.take(steps),
      onConnection: (connection, problem, retryAt) => {
        this.flush(); // show everything received before announcing that the connection is lost
        this.set({ phase: "ready", connection, problem, retryAt });
      },
      onGap: () => this.reload(),
    });
    await this.stream.read();
  }

  private async reload(): Promise<number> {
    this.flush();
    return this.load();
  }

  private take(steps: readonly Step[]): void {
    for (const step of steps) this.waiting.push(step);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_EVERY);
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const steps = this.waiting;
    this.waiting = [];
    if (steps.length > 0) this.history.apply(steps);
  }

  private set(state: FeedState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
