/** Annotations over the overview: column names, node names, and rings around marked nodes. */

import { cut, figure } from "../kinds";
import { css, type Palette } from "../palette";
import type { Scene } from "../scene";
import { type Camera, type View, window } from "./camera";
import { sizeOf } from "./painter";
import type { Drawing } from "./painter";
import { inView, radiusOf, standsAt } from "./stand";

export interface Marks {
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** The node of the keyboard cursor. */
  readonly cursor: number | undefined;
}

const LEGIBLE_LANE = 17;
const LEGIBLE_COLUMN = 84;
const MOST_NAMES = 400;
const HEADER = 28;

export class Annotations {
  readonly element = document.createElement("canvas");
  private readonly columnName: string;
  private view: View = { width: 1, height: 1 };
  private ratio = 1;

  constructor(columnName: string) {
    this.columnName = columnName;
  }

  resize(view: View, ratio: number): void {
    this.view = view;
    this.ratio = ratio;
    this.element.width = Math.max(1, Math.round(view.width * ratio));
    this.element.height = Math.max(1, Math.round(view.height * ratio));
    this.element.style.width = `${view.width}px`;
    this.element.style.height = `${view.height}px`;
  }

  /** Draws everything, and returns the number of nodes in view. */
  draw(drawing: Drawing, camera: Camera, marks: Marks): number {
    const brush = this.element.getContext("2d");
    const seen = inView(drawing.scene, camera, this.view);
    if (brush === null) return seen.length;
    brush.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    brush.clearRect(0, 0, this.view.width, this.view.height);
    const names = new Names(brush, drawing, camera, this.view);
    if (camera.scaleY >= LEGIBLE_LANE && camera.scaleX >= LEGIBLE_COLUMN && seen.length <= MOST_NAMES) names.writeAll(seen);
    rings(brush, drawing, camera, marks);
    names.writeMarked(marks);
    this.columns(brush, drawing.palette, camera, drawing.scene);
    return seen.length;
  }

  private columns(brush: CanvasRenderingContext2D, palette: Palette, camera: Camera, scene: Scene): void {
    const shown = window(camera, this.view);
    const step = stepOf(52 / camera.scaleX);
    brush.fillStyle = css(palette.ground, 0.86);
    brush.fillRect(0, 0, this.view.width, HEADER);
    brush.fillStyle = css(palette.ink, 0.82);
    brush.font = `600 13px ${palette.font}`;
    brush.textBaseline = "middle";
    brush.textAlign = "center";
    const first = Math.max(scene.bounds.left, Math.ceil(shown.left / step) * step);
    for (let column = first; column <= Math.min(scene.bounds.right, shown.right); column += step) {
      const name = camera.scaleX >= 110 ? `${this.columnName} ${column}` : `${column}`;
      brush.fillText(name, column * camera.scaleX + camera.x, HEADER / 2);
    }
  }
}

/** The next round number at or above `least`. */
function stepOf(least: number): number {
  for (let unit = 1; ; unit *= 10) for (const times of [1, 2, 5]) if (unit * times >= least) return unit * times;
}

function rings(brush: CanvasRenderingContext2D, drawing: Drawing, camera: Camera, marks: Marks): void {
  const { palette } = drawing;
  ring(brush, drawing, camera, marks.hovered, css(palette.ink, 0.8), 2, 4);
  ring(brush, drawing, camera, marks.selected, css(palette.ink), 3, 6);
  ring(brush, drawing, camera, marks.cursor, css(palette.kin), 3, 10);
}

function ring(
  brush: CanvasRenderingContext2D,
  drawing: Drawing,
  camera: Camera,
  index: number | undefined,
  colour: string,
  width: number,
  gap: number,
): void {
  if (index === undefined || index >= drawing.scene.nodes.length) return;
  const { x, y } = standsAt(drawing.scene, index, camera);
  brush.lineWidth = width;
  brush.strokeStyle = colour;
  brush.beginPath();
  brush.arc(x, y, radiusOf(camera) * sizeOf(drawing.kinds[index] ?? 9) + gap, 0, 2 * Math.PI);
  brush.stroke();
}

/** Writes names next to nodes; framed names do not overlap each other. */
class Names {
  private readonly taken: { x: number; y: number; width: number; height: number }[] = [];

  constructor(
    private readonly brush: CanvasRenderingContext2D,
    private readonly drawing: Drawing,
    private readonly camera: Camera,
    private readonly view: View,
  ) {}

  writeAll(seen: readonly number[]): void {
    for (const index of seen) {
      const node = this.drawing.scene.nodes[index];
      if (node === undefined || node.champion || node.final) continue;
      const kin = this.drawing.kin;
      const dim = kin !== null && !kin.has(index);
      const name = cut(node.label, Math.floor(this.camera.scaleX / 8));
      const text = node.fitness === null ? name : `${name}  ${figure(node.fitness)}`;
      this.plain(index, text, dim ? 0.35 : 0.9);
    }
  }

  /** The winner, the champions and the selected node, with frames because other nodes surround them. */
  writeMarked(marks: Marks): void {
    const { nodes } = this.drawing.scene;
    nodes.forEach((node, index) => {
      if (node.final) this.framed(index, `winner ${cut(node.label)}`);
      else if (node.champion) this.framed(index, `champion ${cut(node.label)}`);
    });
    const selected = marks.selected === undefined ? undefined : nodes[marks.selected];
    if (selected !== undefined && !selected.final && !selected.champion) this.framed(marks.selected ?? 0, cut(selected.label));
  }

  private plain(index: number, text: string, alpha: number): void {
    const { brush, camera, drawing } = this;
    const { x, y } = standsAt(drawing.scene, index, camera);
    brush.font = `12px ${drawing.palette.font}`;
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    brush.lineWidth = 3;
    brush.lineJoin = "round";
    brush.strokeStyle = css(drawing.palette.ground, alpha);
    brush.fillStyle = css(drawing.palette.ink, alpha);
    const left = x + radiusOf(camera) + 6;
    brush.strokeText(text, left, y, camera.scaleX - 30);
    brush.fillText(text, left, y, camera.scaleX - 30);
  }

  private framed(index: number, text: string): void {
    const { brush, camera, drawing, view } = this;
    const { x, y } = standsAt(drawing.scene, index, camera);
    if (x < 0 || y < HEADER || x > view.width || y > view.height) return;
    brush.font = `600 13px ${drawing.palette.font}`;
    const width = brush.measureText(text).width + 12;
    const gap = radiusOf(camera) * 2.4 + 8;
    const left = x + gap + width > view.width ? x - gap - width : x + gap;
    const box = this.free({ x: left, y: y - 11, width, height: 22 });
    brush.fillStyle = css(drawing.palette.ground, 0.9);
    brush.strokeStyle = css(drawing.palette.ink, 0.7);
    brush.lineWidth = 1;
    brush.beginPath();
    brush.roundRect(box.x, box.y, box.width, box.height, 4);
    brush.fill();
    brush.stroke();
    brush.fillStyle = css(drawing.palette.ink);
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    brush.fillText(text, box.x + 6, box.y + 11.5);
  }

  /** The box, moved down until it does not overlap another. */
  private free(box: { x: number; y: number; width: number; height: number }) {
    const moved = { ...box };
    const covers = (other: typeof box) =>
      moved.x < other.x + other.width && other.x < moved.x + moved.width && Math.abs(moved.y - other.y) < box.height;
    for (let other = this.taken.find(covers); other !== undefined; other = this.taken.find(covers)) moved.y = other.y + 24;
    this.taken.push(moved);
    return moved;
  }
}
