/** The overview's camera: columns and lanes have separate scales, so that a run of any shape fills the view. */

import type { Bounds } from "../layout";

export interface Camera {
  /** Pixels per column and per lane. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** The position of column 0 and lane 0, in pixels. */
  readonly x: number;
  readonly y: number;
}

export interface View {
  readonly width: number;
  readonly height: number;
}

const MARGIN = { left: 44, right: 44, top: 46, bottom: 30 };
const NEAREST = { x: 240, y: 44 };
const TIDY = { x: 150, y: 30 };

/** A camera with everything in view, and with columns and lanes not too far apart to read easily. */
export function fitted(bounds: Bounds, view: View): Camera {
  const columns = bounds.right - bounds.left;
  const lanes = bounds.bottom - bounds.top;
  const width = Math.max(1, view.width - MARGIN.left - MARGIN.right);
  const height = Math.max(1, view.height - MARGIN.top - MARGIN.bottom);
  const scaleX = Math.min(TIDY.x, width / Math.max(1, columns));
  const scaleY = Math.min(TIDY.y, height / Math.max(1, lanes));
  return {
    scaleX,
    scaleY,
    x: MARGIN.left + (width - columns * scaleX) / 2 - bounds.left * scaleX,
    y: MARGIN.top + (height - lanes * scaleY) / 2 - bounds.top * scaleY,
  };
}

export function moved(camera: Camera, byX: number, byY: number): Camera {
  return { ...camera, x: camera.x + byX, y: camera.y + byY };
}

/** Zoom by a factor around (x, y); zooming out stops at half the scale of `whole`. */
export function zoomed(camera: Camera, factor: number, x: number, y: number, whole: Camera): Camera {
  const scaleX = held(camera.scaleX * factor, whole.scaleX / 2, Math.max(NEAREST.x, whole.scaleX));
  const scaleY = held(camera.scaleY * factor, whole.scaleY / 2, Math.max(NEAREST.y, whole.scaleY));
  return {
    scaleX,
    scaleY,
    x: x - ((x - camera.x) * scaleX) / camera.scaleX,
    y: y - ((y - camera.y) * scaleY) / camera.scaleY,
  };
}

/** The camera moved as little as needed to bring a place well inside the view. */
export function showing(camera: Camera, view: View, column: number, lane: number): Camera {
  const x = column * camera.scaleX + camera.x;
  const y = lane * camera.scaleY + camera.y;
  return moved(camera, into(x, 60, view.width - 60) - x, into(y, 60, view.height - 60) - y);
}

/** Interpolate between two cameras. */
export function between(one: Camera, other: Camera, part: number): Camera {
  const at = (from: number, to: number) => from + (to - from) * part;
  return {
    scaleX: at(one.scaleX, other.scaleX),
    scaleY: at(one.scaleY, other.scaleY),
    x: at(one.x, other.x),
    y: at(one.y, other.y),
  };
}

/** The visible columns and lanes. */
export function window(camera: Camera, view: View): Bounds {
  return {
    left: -camera.x / camera.scaleX,
    right: (view.width - camera.x) / camera.scaleX,
    top: -camera.y / camera.scaleY,
    bottom: (view.height - camera.y) / camera.scaleY,
  };
}

function held(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function into(value: number, least: number, most: number): number {
  return most < least ? value : held(value, least, most);
}
