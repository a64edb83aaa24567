/** The running overview: owns the camera, redraws on changes, and reports pointer events. */

import type { Scene } from "../scene";
import { Annotations, type Marks } from "./annotations";
import { between, type Camera, fitted, moved, showing, type View, zoomed } from "./camera";
import { canvasPainter } from "./canvas";
import type { Drawing, Painter } from "./painter";
import { type Point, nodeAt, standsAt } from "./stand";

export interface Told {
  /** Called once the first picture is drawn. */
  ready(painter: Painter["name"]): void;
  /** Receives the number of nodes in view. */
  seen(count: number): void;
  /** Receives the node under the pointer, and the pointer's position on the stage. */
  hovered(index: number | undefined, at: Point): void;
  picked(index: number): void;
}

const GLIDE_MS = 260;
const REST_MS = 140;
const PULSE_FRAME_MS = 50;
const NO_MARKS: Marks = { selected: undefined, hovered: undefined, cursor: undefined };

export class Stage {
  private readonly host: HTMLElement;
  private readonly told: Told;
  private readonly annotations: Annotations;
  private painter: Painter | null = null;
  private view: View;
  private drawing: Drawing | null = null;
  private marks: Marks = NO_MARKS;
  private camera: Camera | null = null;
  private glide: { from: Camera; to: Camera; since: number } | null = null;
  private touched = false;
  private movedAt = 0;
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private isReady = false;
  private isOver = false;
  private seen = -1;
  private readonly still = globalThis.matchMedia("(prefers-reduced-motion: reduce)");

  /** Starts drawing in `host`; `destroy` stops it. */
  constructor(host: HTMLElement, told: Told, columnName: string, wanted?: Painter["name"]) {
    this.host = host;
    this.told = told;
    this.annotations = new Annotations(columnName);
    this.view = viewOf(host);
    void this.begin(wanted);
  }

  destroy(): void {
    this.isOver = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.painter?.destroy();
    this.annotations.element.remove();
  }

  /** Shows a new drawing; with `follow`, everything stays in view until the user moves the view. */
  show(drawing: Drawing, follow: boolean): void {
    this.drawing = drawing;
    this.painter?.show(drawing);
    this.movedAt = 0;
    if (follow && !this.touched) this.go(this.whole());
    this.ask();
  }

  mark(marks: Marks): void {
    this.marks = marks;
    this.ask();
  }

  resize(): void {
    const view = viewOf(this.host);
    if (view.width === this.view.width && view.height === this.view.height) return;
    this.view = view;
    this.painter?.resize(view, ratio());
    this.annotations.resize(view, ratio());
    if (!this.touched) this.jump(this.whole());
    this.ask();
  }

  fit(): void {
    this.touched = false;
    this.go(this.whole());
  }

  pan(byX: number, byY: number): void {
    if (this.camera !== null) this.take(moved(this.camera, byX, byY));
  }

  /** Zooms around a point of the stage, by default its middle. */
  zoom(factor: number, at?: Point): void {
    const { x, y } = at ?? { x: this.view.width / 2, y: this.view.height / 2 };
    const whole = this.whole();
    if (this.camera !== null && whole !== null) this.take(zoomed(this.camera, factor, x, y, whole));
  }

  /** Moves just far enough to bring a node into view. */
  reveal(index: number): void {
    const scene = this.drawing?.scene;
    if (scene === undefined || this.camera === null) return;
    const to = showing(this.camera, this.view, scene.columns[index] ?? 0, scene.lanes[index] ?? 0);
    if (to.x === this.camera.x && to.y === this.camera.y) return;
    this.touched = true;
    this.go(to);
  }

  at(point: Point): number | undefined {
    return this.drawing === null || this.camera === null ? undefined : nodeAt(this.drawing.scene, this.camera, point);
  }

  standing(index: number): Point | undefined {
    return this.drawing === null || this.camera === null ? undefined : standsAt(this.drawing.scene, index, this.camera);
  }

  point(at: Point): void {
    this.told.hovered(this.at(at), at);
  }

  pick(at: Point): void {
    const index = this.at(at);
    if (index !== undefined) this.told.picked(index);
  }

  private async begin(wanted?: Painter["name"]): Promise<void> {
    const painter = await painterFor(this.view, wanted);
    if (this.isOver) return painter.destroy(); // the stage was destroyed while the painter loaded
    this.painter = painter;
    this.host.append(painter.element, this.annotations.element);
    this.view = viewOf(this.host);
    painter.resize(this.view, ratio());
    this.annotations.resize(this.view, ratio());
    if (this.drawing !== null) painter.show(this.drawing);
    if (this.camera === null) this.jump(this.whole());
    this.ask();
  }

  private whole(): Camera | null {
    const scene: Scene | undefined = this.drawing?.scene;
    return scene === undefined ? null : fitted(scene.bounds, this.view);
  }

  private take(camera: Camera): void {
    this.touched = true;
    this.jump(camera);
  }

  private jump(camera: Camera | null): void {
    this.glide = null;
    this.camera = camera;
    this.movedAt = performance.now();
    this.ask();
  }

  /** Animates to the camera; jumps if the user prefers reduced motion or there is no current camera. */
  private go(camera: Camera | null): void {
    if (camera === null || this.camera === null || this.still.matches) return this.jump(camera);
    if (alike(this.glide?.to ?? this.camera, camera)) return;
    this.glide = { from: this.camera, to: camera, since: performance.now() };
    this.ask();
  }

  private ask(): void {
    if (this.frame === 0 && !this.isOver) this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.frame = 0;
    this.step(now);
    if (this.painter === null || this.drawing === null || this.camera === null) return;
    const moving = this.glide !== null || now - this.movedAt < REST_MS;
    const pulsing = !this.still.matches && this.painter.name === "webgl" && this.drawing.scene.nodes.some((node) => node.working);
    this.painter.draw({ camera: this.camera, moving, clock: pulsing ? now : null });
    this.tell(this.annotations.draw(this.drawing, this.camera, this.marks));
    if (this.glide !== null) this.ask();
    else if (moving) this.askLater(REST_MS);
    else if (pulsing) this.askLater(PULSE_FRAME_MS);
  }

  private step(now: number): void {
    if (this.glide === null) return;
    const part = Math.min(1, Math.max(0, (now - this.glide.since) / GLIDE_MS));
    this.camera = between(this.glide.from, this.glide.to, 1 - (1 - part) ** 3);
    this.movedAt = now;
    if (part === 1) this.glide = null;
  }

  private askLater(wait: number): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.ask(), wait);
  }

  private tell(seen: number): void {
    if (seen !== this.seen) this.told.seen(seen);
    this.seen = seen;
    if (this.isReady || this.painter === null) return;
    this.isReady = true;
    this.told.ready(this.painter.name);
  }
}

/** PixiJS; a plain canvas if WebGL is unavailable or only emulated in software, which is slow. */
async function painterFor(view: View, wanted: Painter["name"] | undefined): Promise<Painter> {
  if ((wanted ?? (hasWebGl() ? "webgl" : "canvas")) === "canvas") return canvasPainter(view, ratio());
  try {
    const { pixiPainter } = await import("./pixi");
    return await pixiPainter(view, ratio());
  } catch (reason) {
    console.warn("WebGL is unavailable; the lineage is drawn on a plain canvas:", reason);
    return canvasPainter(view, ratio());
  }
}

/** Software renderers: one frame takes them up to a second. */
const STAND_INS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function hasWebGl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (context === null) return false;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const card: unknown = context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !STAND_INS.test(String(card));
}

function ratio(): number {
  return Math.min(2, globalThis.devicePixelRatio || 1);
}

function viewOf(host: HTMLElement): View {
  return { width: Math.max(1, host.clientWidth), height: Math.max(1, host.clientHeight) };
}

function alike(one: Camera, other: Camera): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-6;
  return near(one.scaleX, other.scaleX) && near(one.scaleY, other.scaleY) && near(one.x, other.x) && near(one.y, other.y);
}
