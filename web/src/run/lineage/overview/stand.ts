/** Positions of nodes: dense columns are spread sideways, so that neighbours do not cover each other. */

import type { Camera, View } from "./camera";
import { window } from "./camera";
import type { Scene } from "../scene";

/** Neighbouring lanes are spread over this many files; the shaders use the same number. */
export const FILES = 5;
const DENSE = 3;
const LOOSE = 16;
const WIDEST = 0.56;
const REACH = 14;

/** The spread of a column's files, in columns; 0 once the lanes are far enough apart to distinguish. */
export function spreadOf(camera: Camera): number {
  const loose = (camera.scaleY - DENSE) / (LOOSE - DENSE);
  return WIDEST * Math.min(1, Math.max(0, 1 - loose));
}

/** The horizontal offset of a lane from its column, from -0.5 to 0.5 of the spread. */
export function fileOf(lane: number): number {
  return ((((lane * 2) % FILES) + FILES) % FILES) / (FILES - 1) - 0.5;
}

/** The radius of an ordinary node, in pixels. */
export function radiusOf(camera: Camera): number {
  const loose = 1 - spreadOf(camera) / WIDEST;
  const room = Math.min(camera.scaleY * (1.8 - 1.4 * loose), camera.scaleX * (0.09 + 0.27 * loose));
  return Math.min(9, Math.max(1.6, room));
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function standsAt(scene: Scene, index: number, camera: Camera): Point {
  const lane = scene.lanes[index] ?? 0;
  const column = (scene.columns[index] ?? 0) + fileOf(lane) * spreadOf(camera);
  return { x: column * camera.scaleX + camera.x, y: lane * camera.scaleY + camera.y };
}

/** The node nearest to a point; undefined if none is near. */
export function nodeAt(scene: Scene, camera: Camera, point: Point): number | undefined {
  let best: number | undefined;
  let least = REACH * REACH;
  for (const index of around(scene, camera, point)) {
    const stands = standsAt(scene, index, camera);
    const distance = (stands.x - point.x) ** 2 + (stands.y - point.y) ** 2;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function* around(scene: Scene, camera: Camera, point: Point): Iterable<number> {
  const middle = (point.x - camera.x) / camera.scaleX;
  const wide = REACH / camera.scaleX + spreadOf(camera) / 2;
  const top = (point.y - REACH - camera.y) / camera.scaleY;
  const bottom = (point.y + REACH - camera.y) / camera.scaleY;
  for (let column = Math.ceil(middle - wide); column <= middle + wide; column += 1) {
    yield* between(scene, scene.inColumn(column), top, bottom);
  }
}

function* between(scene: Scene, column: readonly number[], top: number, bottom: number): Iterable<number> {
  for (let at = firstFrom(scene, column, top); at < column.length; at += 1) {
    const index = column[at];
    if (index === undefined || (scene.lanes[index] ?? 0) > bottom) return;
    yield index;
  }
}

/** The index in a column of the first node at or below a lane. */
function firstFrom(scene: Scene, column: readonly number[], lane: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scene.lanes[column[middle] ?? 0] ?? 0) < lane) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All nodes in view. */
export function inView(scene: Scene, camera: Camera, view: View): readonly number[] {
  const seen = window(camera, view);
  const found: number[] = [];
  const half = spreadOf(camera) / 2;
  for (let column = Math.ceil(seen.left - half); column <= seen.right + half; column += 1) {
    found.push(...between(scene, scene.inColumn(column), seen.top, seen.bottom));
  }
  return found;
}
