/** Where cards stand: high columns are wrapped into files beside each other, so that all together fill the view. */

import type { Scene } from "../scene";
import type { LineageNode } from "../types";

export const CARD = { width: 200, height: 56 };
const PITCH = { column: 268, file: 224, lane: 76 };

/** A column is wrapped from here on: so many cards can still be read when all of them are in view. */
const FEWEST_ROWS = 8;
const TALLER = 1.25;

/**
 * How many lanes high columns may be for the cards of all to be at most `ratio` times as wide as high.
 * It grows in few steps, and never shrinks, as more are born: everybody keeps their place between two steps.
 */
export function rowsFor(nodes: readonly Pick<LineageNode, "column">[], ratio: number): number {
  const counts = new Map<number, number>();
  for (const { column } of nodes) counts.set(column, (counts.get(column) ?? 0) + 1);
  const highest = Math.max(0, ...counts.values());
  let rows = FEWEST_ROWS;
  while (rows < highest && widthOf([...counts.values()], rows) > ratio * rows * PITCH.lane) rows = 2 * Math.ceil((rows * TALLER) / 2);
  return rows;
}

function widthOf(counts: readonly number[], rows: number): number {
  const further = counts.reduce((sum, count) => sum + Math.ceil(count / rows) - 1, 0);
  return counts.length * PITCH.column + further * PITCH.file;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Plan {
  /** The upper left corner of a card. */
  spotOf(index: number): Spot;
  /** The middle of a column with all its files. */
  middleOf(column: number): number;
  /** What the cards of all take up. */
  readonly extent: Spot & { readonly width: number; readonly height: number };
}

export function planOf(scene: Scene): Plan {
  const filesIn = filesOf(scene);
  const stretch = stretchOf(scene, filesIn);
  const starts = startsOf(scene, filesIn, stretch.x);
  const spotOf = (index: number) => {
    const file = scene.files[index] ?? 0;
    const x = (starts.get(scene.columns[index] ?? 0) ?? 0) + file * PITCH.file;
    return { x, y: ((scene.lanes[index] ?? 0) + aside(file)) * PITCH.lane * stretch.y };
  };
  const middleOf = (column: number) =>
    (starts.get(column) ?? 0) + (((filesIn.get(column) ?? 1) - 1) * PITCH.file + CARD.width) / 2;
  return { spotOf, middleOf, extent: extentOf(scene.nodes.map((_, index) => spotOf(index))) };
}

/** Every other file stands half a lane lower: what leads to it passes between the cards of the file before. */
function aside(file: number): number {
  return file % 2 === 0 ? 0 : 0.5;
}

function filesOf(scene: Scene): ReadonlyMap<number, number> {
  const files = new Map<number, number>();
  scene.columns.forEach((column, index) => {
    files.set(column, Math.max(files.get(column) ?? 1, (scene.files[index] ?? 0) + 1));
  });
  return files;
}

/** Where each column begins, those included where nobody stands. */
function startsOf({ extent }: Scene, filesIn: ReadonlyMap<number, number>, stretch: number): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  let x = 0;
  for (let column = extent.left; column <= extent.right; column += 1) {
    starts.set(column, x);
    x += PITCH.column * stretch + ((filesIn.get(column) ?? 1) - 1) * PITCH.file;
  }
  return starts;
}

/** How much farther apart columns stand where all are high, and lanes where all are wide: edges are easier to follow then. */
function stretchOf({ extent }: Scene, filesIn: ReadonlyMap<number, number>): Spot {
  const columns = extent.right - extent.left + 1;
  const further = [...filesIn.values()].reduce((sum, files) => sum + files - 1, 0);
  const wide = columns * PITCH.column + further * PITCH.file;
  const high = (extent.bottom - extent.top + 1) * PITCH.lane;
  return { x: high * 2 < wide ? 1 : high < wide ? 1.4 : 2, y: high * 4 < wide ? 2 : 1 };
}

function extentOf(spots: readonly Spot[]): Plan["extent"] {
  if (spots.length === 0) return { x: 0, y: 0, ...CARD };
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) + CARD.width - x, height: Math.max(...ys) + CARD.height - y };
}
