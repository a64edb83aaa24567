/** The store of a run: its rows, and the run as of any of its events. Both the live page and the replay read from it. */

import type { History, Step } from "../wire/types";
import { Indexes } from "./indexes";
import { Moment } from "./moment";

const KEPT_MOMENTS = 8;

export class RunHistory {
  /** The last known event; -1 if there is none. */
  sequence = -1;
  /** Incremented whenever there is something new to show. */
  version = 0;
  private indexes: Indexes;
  private readonly listeners = new Set<() => void>();
  private readonly moments = new Map<number, Moment>();

  constructor(readonly runId: string) {
    this.indexes = new Indexes({ sequence: -1, tables: {} });
  }

  /** Replace everything with the rows of the whole run. */
  load(told: History): void {
    this.sequence = told.sequence;
    this.indexes = new Indexes(told);
    this.moments.clear();
    this.announce();
  }

  /** Apply steps in order; steps that are already known are ignored. */
  apply(steps: readonly Step[] | Step): void {
    const fresh = (Array.isArray(steps) ? (steps as readonly Step[]) : [steps as Step]).filter(
      (step) => step.sequence > this.sequence,
    );
    if (fresh.length === 0) return;
    this.moments.delete(this.sequence); // it was cached as the latest moment
    for (const step of fresh) {
      this.indexes.apply(step);
      this.sequence = step.sequence;
    }
    this.indexes.catchUp();
    this.announce();
  }

  /** The run after event `sequence`; after the last known event if `sequence` is null or later than it. */
  at(sequence: number | null): Moment {
    const at = sequence === null ? this.sequence : Math.min(Math.max(sequence, -1), this.sequence);
    const known = this.moments.get(at);
    if (known !== undefined) return known;
    const made = new Moment(this.runId, at, at === this.sequence, this.indexes);
    if (this.moments.size >= KEPT_MOMENTS) this.forgetOldest();
    this.moments.set(at, made);
    return made;
  }

  latest(): Moment {
    return this.at(null);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private forgetOldest(): void {
    const [oldest] = this.moments.keys();
    if (oldest !== undefined) this.moments.delete(oldest);
  }

  private announce(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }
}
