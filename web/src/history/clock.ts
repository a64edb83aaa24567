/** The times of events. Only some are known; the others are interpolated. */

import { countThrough } from "./search";
import type { Table } from "./table";

/** The tables that contain times. */
type Timed = Readonly<Record<"operations" | "transitions" | "runs", Table>>;

export class Clock {
  private readonly sequences: number[] = [];
  private readonly times: number[] = [];

  /** Collect the times of a loaded run: first event, operations, transitions, last event. */
  static of({ operations, transitions, runs: run }: Timed, sequence: number): Clock {
    const points: [number, string | null][] = [[0, run.text(0, "started_at")]];
    for (let row = 0; row < operations.length; row += 1) {
      points.push([operations.number(row, "started") ?? -1, operations.text(row, "started_at")]);
      points.push([operations.number(row, "ended") ?? -1, operations.text(row, "ended_at")]);
    }
    for (let row = 0; row < transitions.length; row += 1) {
      const at = transitions.text(row, "at");
      if (at !== null) points.push([transitions.first[row] as number, at]);
    }
    points.push([sequence, run.text(0, "last_event_at")]);
    const clock = new Clock();
    for (const [at, time] of points.sort((one, other) => one[0] - other[0])) clock.add(at, time);
    return clock;
  }

  add(sequence: number, time: string | null): void {
    const told = time === null ? NaN : Date.parse(time);
    if (sequence < 0 || Number.isNaN(told) || sequence <= (this.sequences.at(-1) ?? -1)) return;
    this.sequences.push(sequence);
    this.times.push(told);
  }

  /** The time of an event in milliseconds since 1970, interpolated between known times; null if none is known. */
  at(sequence: number): number | null {
    const after = countThrough(this.sequences, sequence);
    const [low, high] = [Math.max(after - 1, 0), Math.min(after, this.times.length - 1)];
    const [from, to] = [this.times[low], this.times[high]];
    if (from === undefined || to === undefined) return null;
    const span = (this.sequences[high] as number) - (this.sequences[low] as number);
    const share = span <= 0 ? 0 : (sequence - (this.sequences[low] as number)) / span;
    return from + (to - from) * Math.min(Math.max(share, 0), 1);
  }
}
