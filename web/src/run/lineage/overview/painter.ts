/** What draws nodes and edges: PixiJS where WebGL can be had, a plain canvas where it cannot. */

import type { Palette } from "../palette";
import type { Scene } from "../scene";
import type { Camera, View } from "./camera";

/** A scene with the looks of everybody in it. */
export interface Drawing {
  readonly scene: Scene;
  /** Red, green and blue of each node. */
  readonly colours: Uint8Array;
  /** The number of each node's look. */
  readonly kinds: Uint8Array;
  /** The lineage that is lit while all else is dimmed. */
  readonly kin: ReadonlySet<number> | null;
  readonly palette: Palette;
}

export interface Moment {
  readonly camera: Camera;
  /** Whether the view is on its way: a painter may draw less finely meanwhile. */
  readonly moving: boolean;
  /** Milliseconds, for what pulses; null where motion is unwanted. */
  readonly clock: number | null;
}

export interface Painter {
  readonly name: "webgl" | "canvas";
  readonly element: HTMLCanvasElement;
  resize(view: View, ratio: number): void;
  show(drawing: Drawing): void;
  draw(moment: Moment): void;
  destroy(): void;
}

const DIMMED = 0.16;
const LIT = 1.5;

/** How strong an ordinary edge is: many together would hide the nodes. */
export function edgeStrength(edges: number): number {
  return Math.min(0.55, Math.max(0.1, 0.55 * Math.sqrt(700 / Math.max(1, edges))));
}

/** How much larger than the others a node is drawn: winner and champion stand out. */
export function sizeOf(kind: number): number {
  return kind === 0 ? 2.6 : kind === 1 ? 2 : 1;
}

/** How strongly and how much larger than usual a node is drawn, for the lineage that is lit. */
export function lightOn({ kin, kinds }: Drawing, index: number): { readonly alpha: number; readonly size: number } {
  const size = sizeOf(kinds[index] ?? 9);
  if (kin === null) return { alpha: 1, size };
  return kin.has(index) ? { alpha: 1, size: Math.max(size, LIT) } : { alpha: DIMMED, size };
}

/** The order in which nodes are drawn: who is lit and who stands out come last, on top. */
export function drawnLast(drawing: Drawing, index: number): boolean {
  return (drawing.kin?.has(index) ?? false) || (drawing.kinds[index] ?? 9) < 2;
}
