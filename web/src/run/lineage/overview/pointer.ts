/** Touch, mouse and wheel input on the stage. */

import type { Stage } from "./stage";
import type { Point } from "./stand";

const CLICK_REACH = 5;

/** Let the pointer pan, zoom, hover and pick; call the returned function to stop. */
export function handle(host: HTMLElement, stage: Stage): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const hand = new Hand(host, stage);
  host.addEventListener("pointerdown", (event) => hand.down(event), { signal });
  host.addEventListener("pointermove", (event) => hand.move(event), { signal });
  host.addEventListener("pointerup", (event) => hand.up(event), { signal });
  host.addEventListener("pointercancel", (event) => hand.cancel(event), { signal });
  host.addEventListener("pointerleave", () => stage.point({ x: -1e6, y: -1e6 }), { signal });
  host.addEventListener("wheel", (event) => hand.wheel(event), { signal, passive: false });
  return () => stop.abort();
}

class Hand {
  private readonly host: HTMLElement;
  private readonly stage: Stage;
  private readonly fingers = new Map<number, Point>();
  private travelled = 0;

  constructor(host: HTMLElement, stage: Stage) {
    this.host = host;
    this.stage = stage;
  }

  down(event: PointerEvent): void {
    if (this.fingers.size === 0) this.travelled = 0;
    this.fingers.set(event.pointerId, this.at(event));
  }

  move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    const now = this.at(event);
    if (before === undefined) return this.stage.point(now);
    this.travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.travelled > CLICK_REACH) this.hold(event.pointerId);
    const apart = this.apart();
    this.fingers.set(event.pointerId, now);
    this.stage.pan((now.x - before.x) / this.fingers.size, (now.y - before.y) / this.fingers.size);
    if (apart > 0) this.stage.zoom(this.apart() / apart, this.middle());
  }

  up(event: PointerEvent): void {
    const held = this.fingers.delete(event.pointerId);
    if (held && this.fingers.size === 0 && this.travelled <= CLICK_REACH) this.stage.pick(this.at(event));
  }

  cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.stage.zoom(Math.exp(-event.deltaY * lines * 0.0016), this.at(event));
  }

  private at(event: MouseEvent): Point {
    const box = this.host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private hold(pointer: number): void {
    if (!this.host.hasPointerCapture(pointer)) this.host.setPointerCapture(pointer);
  }

  private apart(): number {
    const [one, other] = [...this.fingers.values()];
    return one === undefined || other === undefined ? 0 : Math.hypot(one.x - other.x, one.y - other.y);
  }

  private middle(): Point {
    const all = [...this.fingers.values()];
    const sum = all.reduce((total, each) => ({ x: total.x + each.x, y: total.y + each.y }), { x: 0, y: 0 });
    return { x: sum.x / all.length, y: sum.y / all.length };
  }
}
