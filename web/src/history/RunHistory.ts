/** The one store of a run: its rows, and the run as it was after any of its events. Live and replay read from it alike. */

import type { History, Step } from "../wire/types";
import { Indexes } from "./indexes";
import { Moment } from "./moment";

const KEPT_MOMENTS = 8;

export class RunHistory {
  /** The last event that is known; -1 where none is. */
  sequence = -1;
  /** Changes whenever there is something new to show. */
  version = 0;
  private indexes: Indexes;
  private readonly listeners = new Set<() => void>();
  private readonly moments = new Map<number, Moment>();

  constructor(readonly runId: string) {
    this.indexes = new Indexes({ sequence: -1, tables: {} });
  }

  /** Start again from all rows of the run. */
  load(told: History): void {
    this.sequence = told.sequence;
    this.indexes = new Indexes(told);
    this.moments.clear();
    this.announce();
  }

  /** Take steps in order; those that are known already change nothing. */
  apply(steps: readonly Step[] | Step): void {
    const fresh = (Array.isArray(steps) ? (steps as readonly Step[]) : [steps as Step]).filter(
      (step) => step.sequence > this.sequence,
    );
    if (fresh.length === 0) return;
    this.moments.delete(this.sequence);
    for (const step of fresh) {
      this.indexes.apply(step);
      this.sequence = step.sequence;
    }
    this.indexes.catchUp();
    this.announce();
  }

  /** The run after event `sequence`; after its last known one where that is later, or null. */
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
