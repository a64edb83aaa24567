/**
 * The overview on a plain canvas, for browsers without WebGL.
 *
 * Everything is redrawn when the view rests; while it moves, the last picture is moved and scaled instead.
 */

import { css } from "../palette";
import type { Camera, View } from "./camera";
import { type Drawing, drawnLast, edgeStrength, lightOn, type Moment, type Painter } from "./painter";
import { Stamps } from "./stamps";
import { inView, radiusOf, spreadOf, standsAt } from "./stand";

export function canvasPainter(view: View, ratio: number): Painter {
  return new CanvasPainter(view, ratio);
}

class CanvasPainter implements Painter {
  readonly name = "canvas";
  readonly element = document.createElement("canvas");
  private readonly still = document.createElement("canvas");
  private readonly layer = document.createElement("canvas");
  private readonly brush: CanvasRenderingContext2D;
  private readonly stillBrush: CanvasRenderingContext2D;
  private readonly layerBrush: CanvasRenderingContext2D;
  private view: View;
  private ratio = 1;
  private drawing: Drawing | null = null;
  private drawn: Camera | null = null;
  private readonly stamps = new Stamps();

  constructor(view: View, ratio: number) {
    this.view = view;
    this.brush = brushOf(this.element);
    this.stillBrush = brushOf(this.still);
    this.layerBrush = brushOf(this.layer);
    this.resize(view, ratio);
  }

  resize(view: View, ratio: number): void {
    this.view = view;
    this.ratio = ratio;
    for (const canvas of [this.element, this.still, this.layer]) {
      canvas.width = Math.max(1, Math.round(view.width * ratio));
      canvas.height = Math.max(1, Math.round(view.height * ratio));
    }
    this.element.style.width = `${view.width}px`;
    this.element.style.height = `${view.height}px`;
    this.drawn = null;
  }

  show(drawing: Drawing): void {
    this.drawing = drawing;
    this.drawn = null;
  }

  draw({ camera, moving }: Moment): void {
    if (this.drawn === null || (!moving && !same(this.drawn, camera))) this.drawStill(camera);
    const { brush, ratio, view } = this;
    const drawn = this.drawn ?? camera;
    const wide = camera.scaleX / drawn.scaleX;
    const high = camera.scaleY / drawn.scaleY;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, view.width, view.height);
    const x = camera.x - drawn.x * wide;
    const y = camera.y - drawn.y * high;
    brush.drawImage(this.still, x, y, view.width * wide, view.height * high);
  }

  destroy(): void {
    this.element.remove();
    this.drawing = null;
  }

  private drawStill(camera: Camera): void {
    this.drawn = camera;
    const { stillBrush: brush, ratio, view, drawing } = this;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, view.width, view.height);
    if (drawing === null) return;
    drawEdges(brush, drawing, camera, view);
    this.drawNodes(brush, drawing, camera);
  }

  private drawNodes(brush: CanvasRenderingContext2D, drawing: Drawing, camera: Camera): void {
    const seen = inView(drawing.scene, camera, this.view);
    const last = seen.filter((index) => drawnLast(drawing, index));
    this.stamps.clear(this.still.width, this.still.height);
    for (const index of seen) if (!drawnLast(drawing, index)) this.stamp(drawing, camera, index);
    for (const index of last) this.stamp(drawing, camera, index);
    this.layerBrush.putImageData(this.stamps.result, 0, 0);
    brush.drawImage(this.layer, 0, 0, this.view.width, this.view.height);
    for (const index of seen) if (drawing.scene.nodes[index]?.working) ring(brush, drawing, camera, index);
  }

  private stamp(drawing: Drawing, camera: Camera, index: number): void {
    const { colours, kinds, palette, scene } = drawing;
    const { x, y } = standsAt(scene, index, camera);
    const { alpha, size } = lightOn(drawing, index);
    const kind = kinds[index] ?? 0;
    const stamp = { kind, alpha, x: x * this.ratio, y: y * this.ratio, radius: radiusOf(camera) * size * this.ratio };
    if (kind < 2) this.stamps.addRim(stamp, palette.ink, this.ratio);
    this.stamps.add(stamp, colours[index * 3] ?? 0, colours[index * 3 + 1] ?? 0, colours[index * 3 + 2] ?? 0);
  }
}

function drawEdges(brush: CanvasRenderingContext2D, { scene, kin, palette }: Drawing, camera: Camera, view: View): void {
  const ordinary = new Path2D();
  const lit = new Path2D();
  const spread = spreadOf(camera);
  for (let at = 0; at < scene.edges.length; at += 2) {
    const from = scene.edges[at] ?? 0;
    const to = scene.edges[at + 1] ?? 0;
    if (beyond(scene.columns[from], scene.columns[to], spread, camera.scaleX, camera.x, view.width)) continue;
    if (beyond(scene.lanes[from], scene.lanes[to], 0, camera.scaleY, camera.y, view.height)) continue;
    const bright = kin?.has(from) === true && kin.has(to);
    const one = standsAt(scene, from, camera);
    const two = standsAt(scene, to, camera);
    bend(bright ? lit : ordinary, one.x, one.y, two.x, two.y);
  }
  const strength = edgeStrength(scene.edges.length / 2);
  brush.lineWidth = 1;
  brush.strokeStyle = css(palette.edge, kin === null ? strength : strength * 0.35);
  brush.stroke(ordinary);
  brush.lineWidth = 2;
  brush.strokeStyle = css(palette.kin, 0.9);
  brush.stroke(lit);
}

/** Whether an edge is entirely on one side of the view. */
function beyond(one = 0, two = 0, slack: number, scale: number, offset: number, length: number): boolean {
  const least = (Math.min(one, two) - slack) * scale + offset;
  const most = (Math.max(one, two) + slack) * scale + offset;
  return most < 0 || least > length;
}

function bend(path: Path2D, fromX: number, fromY: number, toX: number, toY: number): void {
  const half = toX - fromX > 1 ? (toX - fromX) * 0.5 : 10;
  path.moveTo(fromX, fromY);
  path.bezierCurveTo(fromX + half, fromY, toX - half, toY, toX, toY);
}

function ring(brush: CanvasRenderingContext2D, drawing: Drawing, camera: Camera, index: number): void {
  const { x, y } = standsAt(drawing.scene, index, camera);
  const { alpha, size } = lightOn(drawing, index);
  brush.lineWidth = 1.5;
  brush.strokeStyle = css(drawing.palette.working, alpha);
  brush.beginPath();
  brush.arc(x, y, radiusOf(camera) * size * 1.4 + 1, 0, 2 * Math.PI);
  brush.stroke();
}

function same(one: Camera, other: Camera): boolean {
  return one.scaleX === other.scaleX && one.scaleY === other.scaleY && one.x === other.x && one.y === other.y;
}

function brushOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const brush = canvas.getContext("2d");
  if (brush === null) throw new Error("this browser provides no 2D canvas; show the lineage as a table");
  return brush;
}
