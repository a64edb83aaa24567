/** The interface of the renderers of nodes and edges: PixiJS with WebGL, a plain canvas without. */

import type { Palette } from "../palette";
import type { Scene } from "../scene";
import type { Camera, View } from "./camera";

/** A scene with the appearance of all its nodes. */
export interface Drawing {
  readonly scene: Scene;
  /** Red, green and blue of each node. */
  readonly colours: Uint8Array;
  /** The number of each node's look. */
  readonly kinds: Uint8Array;
  /** The relatives of the selected node, which are highlighted while all others are dimmed. */
  readonly kin: ReadonlySet<number> | null;
  readonly palette: Palette;
}

export interface Moment {
  readonly camera: Camera;
  /** Whether the view is moving: a painter may draw with less detail meanwhile. */
  readonly moving: boolean;
  /** Milliseconds, for pulsing; null if nothing pulses or the user prefers reduced motion. */
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

/** The opacity of an ordinary edge, lower for many edges, which would hide the nodes. */
export function edgeStrength(edges: number): number {
  return Math.min(0.55, Math.max(0.1, 0.55 * Math.sqrt(700 / Math.max(1, edges))));
}

/** The relative size of a node; winner and champion are larger. */
export function sizeOf(kind: number): number {
  return kind === 0 ? 2.6 : kind === 1 ? 2 : 1;
}

/** The opacity and relative size of a node, given the highlighted relatives. */
export function lightOn({ kin, kinds }: Drawing, index: number): { readonly alpha: number; readonly size: number } {
  const size = sizeOf(kinds[index] ?? 9);
  if (kin === null) return { alpha: 1, size };
  return kin.has(index) ? { alpha: 1, size: Math.max(size, LIT) } : { alpha: DIMMED, size };
}

/** Whether a node is drawn last, on top of others: highlighted nodes, winner and champion. */
export function drawnLast(drawing: Drawing, index: number): boolean {
  return (drawing.kin?.has(index) ?? false) || (drawing.kinds[index] ?? 9) < 2;
}
