/**
 * Places in generation columns: each genome gets the free lane of its column that is nearest to its parents.
 * If the number of lanes is limited and all are taken, the genome goes to a further file of its column.
 *
 * A place is assigned once, in order of birth, and never changes: the places of the first k genomes do not depend on later
 * ones, so nothing jumps while a run grows or is rewound. A method that sorts whole columns (barycentre sweeps) would
 * cross fewer edges, but move all genomes at every birth.
 */

import type { LineageNode } from "./types";

export interface Place {
  readonly column: number;
  /** The file within the column, from 0; a new file begins when the previous ones are full. */
  readonly file: number;
  /** An integer of either sign; the first founder is in lane 0. */
  readonly lane: number;
}

export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

type Placeable = Pick<LineageNode, "id" | "birth" | "column" | "parents">;

/** Children are placed a little nearer to the middle than their parents; otherwise the layout drifts with its winners. */
const INWARDS = 0.85;

const NOWHERE: Bounds = { left: 0, right: 0, top: 0, bottom: 0 };

/** The lanes of one file: `rows` of them around lane 0, each taken at most once. */
class Lanes {
  private readonly above = new Map<number, number>();
  private readonly below = new Map<number, number>();
  private readonly top: number;
  private readonly bottom: number;
  private taken = 0;

  constructor(private readonly rows: number) {
    this.top = -Math.floor(rows / 2);
    this.bottom = this.top === Number.NEGATIVE_INFINITY ? rows : this.top + rows - 1;
  }

  get isFull(): boolean {
    return this.taken >= this.rows;
  }

  /** Takes the free lane nearest to `wanted`; in a tie, the lower one if `downwards`. The file must not be full. */
  take(wanted: number, downwards: boolean): number {
    const centre = Math.min(this.bottom, Math.max(this.top, Math.round(wanted)));
    const up = find(this.above, centre);
    const down = find(this.below, centre);
    const farther = this.distance(down, wanted) - this.distance(up, wanted);
    const lane = farther < 0 || (farther === 0 && downwards) ? down : up;
    this.above.set(lane, lane - 1);
    this.below.set(lane, lane + 1);
    this.taken += 1;
    return lane;
  }

  private distance(lane: number, wanted: number): number {
    return lane < this.top || lane > this.bottom ? Number.POSITIVE_INFINITY : Math.abs(lane - wanted);
  }
}

/** The first free lane from `lane` on, found by following `next`; compresses the path for later searches. */
function find(next: Map<number, number>, lane: number): number {
  let end = lane;
  for (let step = next.get(end); step !== undefined; step = next.get(end)) end = step;
  for (let at = lane; at !== end; ) {
    const step = next.get(at) ?? end;
    next.set(at, end);
    at = step;
  }
  return end;
}

/** Remembers all places; accepts every state of one run, in any order. */
export class Layout {
  private places = new Map<string, Place>();
  private files = new Map<number, Lanes[]>();
  private reach: Bounds = NOWHERE;

  /** `rows` limits the lanes per file; a column has as many files as necessary. */
  constructor(private readonly rows: number = Number.POSITIVE_INFINITY) {}

  /** Places the nodes that have no place yet, in order of birth. */
  place(nodes: readonly Placeable[]): void {
    if (nodes.some((node) => this.movedColumn(node))) this.forget();
    const fresh = nodes.filter((node) => !this.places.has(node.id));
    fresh.sort((one, other) => one.birth - other.birth || (one.id < other.id ? -1 : 1));
    for (const node of fresh) this.settle(node);
  }

  at(id: string): Place | undefined {
    return this.places.get(id);
  }

  /** The bounds of all nodes ever placed; they do not shrink when a replay goes back. */
  get bounds(): Bounds {
    return this.reach;
  }

  private movedColumn(node: Placeable): boolean {
    const place = this.places.get(node.id);
    return place !== undefined && place.column !== node.column;
  }

  private forget(): void {
    this.places = new Map();
    this.files = new Map();
    this.reach = NOWHERE;
  }

  private settle(node: Placeable): void {
    const files = this.withRoom(node.column);
    const file = files.length - 1;
    const lane = files[file]?.take(this.wanted(node), node.birth % 2 === 0) ?? 0;
    this.reach = this.places.size === 0 ? around(node.column, lane) : widened(this.reach, node.column, lane);
    this.places.set(node.id, { column: node.column, file, lane });
  }

  /** The files of a column; the last one has a free lane. */
  private withRoom(column: number): readonly Lanes[] {
    const files = this.files.get(column) ?? [];
    if (files.at(-1)?.isFull ?? true) files.push(new Lanes(this.rows));
    this.files.set(column, files);
    return files;
  }

  /** The mean lane of the placed parents, moved a little towards the middle. */
  private wanted(node: Placeable): number {
    let sum = 0;
    let count = 0;
    for (const parent of node.parents) {
      const place = this.places.get(parent);
      if (place === undefined) continue;
      sum += place.lane;
      count += 1;
    }
    return count === 0 ? 0 : (INWARDS * sum) / count;
  }
}

function around(column: number, lane: number): Bounds {
  return { left: column, right: column, top: lane, bottom: lane };
}

function widened(bounds: Bounds, column: number, lane: number): Bounds {
  return {
    left: Math.min(bounds.left, column),
    right: Math.max(bounds.right, column),
    top: Math.min(bounds.top, lane),
    bottom: Math.max(bounds.bottom, lane),
  };
}
