/**
 * Draws many small shapes into one picture, pixel by pixel.
 *
 * Without a graphics card, ten thousand calls of `drawImage` would take ten times as long.
 */

import { LOOKS } from "../kinds";

/** The coverage of each pixel of a square by a shape, from 0 to 255. */
interface Mask {
  readonly side: number;
  readonly cover: Uint8Array;
}

interface Stamp {
  readonly kind: number;
  /** In pixels of the picture. */
  readonly radius: number;
  readonly x: number;
  readonly y: number;
  readonly alpha: number;
}

type Colour = readonly [number, number, number];

const RIM = 2;

export class Stamps {
  private masks = new Map<string, Mask>();
  private picture: ImageData;
  private readonly brush: CanvasRenderingContext2D;

  constructor() {
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (brush === null) throw new Error("this browser provides no 2D canvas; show the lineage as a table");
    this.brush = brush;
    this.picture = new ImageData(1, 1);
  }

  /** Begins an empty picture. */
  clear(width: number, height: number): void {
    this.picture = new ImageData(width, height);
    if (this.masks.size > 200) this.masks = new Map();
  }

  get result(): ImageData {
    return this.picture;
  }

  add(stamp: Stamp, red: number, green: number, blue: number): void {
    press(this.picture, this.maskOf(stamp.kind, stamp.radius, 0), stamp, [red, green, blue]);
  }

  /** Adds a rim around the place of a shape; call it before adding the shape. */
  addRim(stamp: Stamp, colour: Colour, ratio: number): void {
    press(this.picture, this.maskOf(stamp.kind, stamp.radius, RIM * ratio), stamp, colour);
  }

  private maskOf(kind: number, radius: number, rim: number): Mask {
    const name = `${kind}:${radius}:${rim}`;
    const known = this.masks.get(name);
    if (known !== undefined) return known;
    const made = this.cut(kind, radius, rim);
    this.masks.set(name, made);
    return made;
  }

  private cut(kind: number, radius: number, rim: number): Mask {
    const side = Math.ceil(radius + rim) * 2 + 3;
    const { brush } = this;
    const look = LOOKS[kind];
    brush.canvas.width = side;
    brush.canvas.height = side;
    brush.translate(side / 2, side / 2);
    brush.scale(radius, radius);
    brush.lineJoin = "round";
    const path = new Path2D(look?.path);
    brush.lineWidth = rim > 0 ? (2 * rim) / radius : 0.34;
    if (look?.hollow || rim > 0) brush.stroke(path);
    if (!look?.hollow) brush.fill(path);
    const { data } = brush.getImageData(0, 0, side, side);
    return { side, cover: Uint8Array.from({ length: side * side }, (_, pixel) => data[pixel * 4 + 3] ?? 0) };
  }
}

/** Blends the colour over the picture where the mask covers it. */
function press({ data, width, height }: ImageData, { side, cover }: Mask, { x, y, alpha }: Stamp, colour: Colour): void {
  const left = Math.round(x - side / 2);
  const top = Math.round(y - side / 2);
  const [firstX, lastX] = [Math.max(0, -left), Math.min(side, width - left)];
  const [firstY, lastY] = [Math.max(0, -top), Math.min(side, height - top)];
  for (let row = firstY; row < lastY; row += 1) {
    for (let column = firstX; column < lastX; column += 1) {
      const covered = (cover[row * side + column] ?? 0) * alpha;
      if (covered > 0) lay(data, ((top + row) * width + left + column) * 4, covered / 255, colour);
    }
  }
}

function lay(data: Uint8ClampedArray, at: number, part: number, colour: Colour): void {
  const below = ((data[at + 3] ?? 0) / 255) * (1 - part);
  const whole = part + below;
  data[at] = (colour[0] * part + (data[at] ?? 0) * below) / whole;
  data[at + 1] = (colour[1] * part + (data[at + 1] ?? 0) * below) / whole;
  data[at + 2] = (colour[2] * part + (data[at + 2] ?? 0) * below) / whole;
  data[at + 3] = whole * 255;
}
