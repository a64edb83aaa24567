/** A lineage as arrays: positions, descent and kinship. */

import { type Bounds, Layout } from "./layout";
import type { LineageNode } from "./types";

export interface Scene {
  readonly nodes: readonly LineageNode[];
  readonly columns: Float32Array;
  readonly files: Uint16Array;
  readonly lanes: Float32Array;
  /** The bounds of all nodes ever placed; they do not shrink when a replay goes back. */
  readonly bounds: Bounds;
  /** The bounds of the current nodes. */
  readonly extent: Bounds;
  /** Pairs of indices: parent, child, parent, child, … */
  readonly edges: Uint32Array;
  indexOf(id: string): number | undefined;
  parentsOf(index: number): readonly number[];
  childrenOf(index: number): readonly number[];
  /** Indices of the nodes in a column, file by file, each from top to bottom. */
  inColumn(column: number): readonly number[];
}

const NOBODY: readonly number[] = [];

/** Build the scene; nodes that `layout` remembers keep their places. */
export function sceneOf(nodes: readonly LineageNode[], layout: Layout = new Layout()): Scene {
  layout.place(nodes);
  const columns = new Float32Array(nodes.length);
  const files = new Uint16Array(nodes.length);
  const lanes = new Float32Array(nodes.length);
  const indices = new Map<string, number>();
  nodes.forEach((node, index) => {
    columns[index] = node.column;
    const place = layout.at(node.id);
    files[index] = place?.file ?? 0;
    lanes[index] = place?.lane ?? 0;
    indices.set(node.id, index);
  });
  const family = familyOf(nodes, indices);
  const byColumn = columnsOf(nodes, files, lanes);
  return {
    nodes,
    columns,
    files,
    lanes,
    bounds: layout.bounds,
    extent: extentOf(columns, lanes),
    edges: family.edges,
    indexOf: (id) => indices.get(id),
    parentsOf: (index) => family.parents[index] ?? NOBODY,
    childrenOf: (index) => family.children[index] ?? NOBODY,
    inColumn: (column) => byColumn.get(column) ?? NOBODY,
  };
}

function extentOf(columns: Float32Array, lanes: Float32Array): Bounds {
  if (columns.length === 0) return { left: 0, right: 0, top: 0, bottom: 0 };
  const least = (all: Float32Array) => all.reduce((one, other) => Math.min(one, other));
  const most = (all: Float32Array) => all.reduce((one, other) => Math.max(one, other));
  return { left: least(columns), right: most(columns), top: least(lanes), bottom: most(lanes) };
}

interface Family {
  readonly edges: Uint32Array;
  readonly parents: readonly (readonly number[])[];
  readonly children: readonly (readonly number[])[];
}

function familyOf(nodes: readonly LineageNode[], indices: ReadonlyMap<string, number>): Family {
  const parents = nodes.map((node) => known(node.parents, indices));
  const children: number[][] = nodes.map(() => []);
  const edges: number[] = [];
  parents.forEach((those, child) => {
    for (const parent of those) {
      children[parent]?.push(child);
      edges.push(parent, child);
    }
  });
  return { edges: Uint32Array.from(edges), parents, children };
}

function known(ids: readonly string[], indices: ReadonlyMap<string, number>): readonly number[] {
  const found: number[] = [];
  for (const id of ids) {
    const index = indices.get(id);
    if (index !== undefined && !found.includes(index)) found.push(index);
  }
  return found.length === 0 ? NOBODY : found;
}

function columnsOf(nodes: readonly LineageNode[], files: Uint16Array, lanes: Float32Array): Map<number, number[]> {
  const columns = new Map<number, number[]>();
  nodes.forEach((node, index) => {
    const column = columns.get(node.column);
    if (column === undefined) columns.set(node.column, [index]);
    else column.push(index);
  });
  const order = (one: number, other: number) =>
    (files[one] ?? 0) - (files[other] ?? 0) || (lanes[one] ?? 0) - (lanes[other] ?? 0);
  for (const column of columns.values()) column.sort(order);
  return columns;
}

/** The genome itself, its ancestors and its descendants. */
export function kinOf(scene: Scene, index: number): ReadonlySet<number> {
  const kin = reached(index, scene.parentsOf);
  for (const descendant of reached(index, scene.childrenOf)) kin.add(descendant);
  return kin;
}

export function ancestorsOf(scene: Scene, index: number): Set<number> {
  const found = reached(index, scene.parentsOf);
  found.delete(index);
  return found;
}

export function descendantsOf(scene: Scene, index: number): Set<number> {
  const found = reached(index, scene.childrenOf);
  found.delete(index);
  return found;
}

function reached(from: number, next: (index: number) => readonly number[]): Set<number> {
  const seen = new Set([from]);
  for (const at of seen) for (const other of next(at)) seen.add(other);
  return seen;
}

/** One step of a line of descent: a genome, and its parents other than the one that the line follows. */
export interface Forebear {
  readonly index: number;
  readonly others: readonly number[];
}

/** The line from a genome back to a founder, through the fitter parent at each step. */
export function lineOf(scene: Scene, index: number): readonly Forebear[] {
  const line: Forebear[] = [];
  const seen = new Set<number>();
  for (let at: number | undefined = index; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const parents = [...scene.parentsOf(at)].sort((one, other) => fitnessAt(scene, other) - fitnessAt(scene, one));
    line.push({ index: at, others: parents.slice(1) });
    at = parents[0];
  }
  return line;
}

function fitnessAt(scene: Scene, index: number): number {
  return scene.nodes[index]?.fitness ?? Number.NEGATIVE_INFINITY;
}

/** At most `limit` relatives: the genome itself, then the nearest ancestors and descendants; in the scene's order. */
export function familyWithin(scene: Scene, index: number, limit: number): readonly LineageNode[] {
  const up = breadthFirst(index, scene.parentsOf, limit);
  const down = breadthFirst(index, scene.childrenOf, limit);
  const chosen = new Set<number>([index]);
  for (let step = 1; step < Math.max(up.length, down.length) && chosen.size < limit; step += 1) {
    for (const line of [up, down]) {
      const relative = line[step];
      if (relative !== undefined && chosen.size < limit) chosen.add(relative);
    }
  }
  return [...chosen].sort((one, other) => one - other).flatMap((each) => scene.nodes[each] ?? []);
}

function breadthFirst(from: number, next: (index: number) => readonly number[], limit: number): readonly number[] {
  const seen = new Set([from]);
  for (const at of seen) {
    for (const other of next(at)) seen.add(other);
    if (seen.size >= limit) break;
  }
  return [...seen];
}
