/** Positions of cards: tall columns are wrapped into adjacent files, so that the whole layout fills the view. */

import type { Scene } from "../scene";
import type { LineageNode } from "../types";

export const CARD = { width: 200, height: 56 };
const PITCH = { column: 268, file: 224, lane: 76 };

/** Columns are wrapped only above this height: this many cards are still legible when all are in view. */
const FEWEST_ROWS = 8;
const TALLER = 1.25;

/**
 * The maximum number of lanes per column for a layout at most `ratio` times as wide as high.
 * It grows in few steps and never shrinks as more genomes are born: between two steps all genomes keep their places.
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
  /** The bounding box of all cards. */
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

/** Every other file is half a lane lower, so that edges to it pass between the cards of the previous file. */
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

/** The start of each column, including empty columns. */
function startsOf({ extent }: Scene, filesIn: ReadonlyMap<number, number>, stretch: number): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  let x = 0;
  for (let column = extent.left; column <= extent.right; column += 1) {
    starts.set(column, x);
    x += PITCH.column * stretch + ((filesIn.get(column) ?? 1) - 1) * PITCH.file;
  }
  return starts;
}

/** Extra spacing of columns in a tall layout and of lanes in a wide one, which makes edges easier to follow. */
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
