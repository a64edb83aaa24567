/** What of the cards is in view, and keeping all of them there. */

import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { Scene } from "../scene";
import { CARD, type Plan } from "./plan";

const PADDING = { top: "46px", bottom: "16px", x: "24px" } as const;
export const ZOOM = { least: 0.02, most: 2 };

/** Few cards are not made larger than this to fill the view. */
const NEAR = 1.1;

/** How long the view takes to get somewhere; no time where motion is unwanted. */
export function glide(): number {
  return globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220;
}

/** Fits all as the lineage grows, until the reader moves the view; `fit` takes up following again. */
export function useFitting(plan: Plan, follow: boolean) {
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  const held = useRef(false);
  const size = useStore((state) => (state.width > 0 ? `${state.width}x${state.height}` : null));
  const { x, y, width, height } = plan.extent;
  const show = useCallback(
    (duration: number) => {
      const box = store.getState();
      const to = getViewportForBounds({ x, y, width, height }, box.width, box.height, ZOOM.least, NEAR, PADDING);
      void setViewport(to, { duration });
    },
    [setViewport, store, x, y, width, height],
  );
  useEffect(() => {
    if (size !== null && follow && !held.current) show(0);
  }, [size, follow, show]);
  const hold = useCallback(() => {
    held.current = true;
  }, []);
  const fit = useCallback(() => {
    held.current = false;
    show(glide());
  }, [show]);
  return { fit, hold };
}

export type Nearness = "near" | "middle" | "far";

/** How much of a card can be read: all of it, its name, or its shape alone. */
export function useNearness(): Nearness {
  return useStore(({ transform: [, , zoom] }) => (zoom >= 0.68 ? "near" : zoom >= 0.3 ? "middle" : "far"));
}

/** Keeps the zoom as a property of the style, for writing that has the same size at any. */
export function useZoomInStyle(element: HTMLElement | null): void {
  const zoom = useStore(({ transform }) => Math.max(0.05, Math.round(transform[2] * 50) / 50));
  useEffect(() => element?.style.setProperty("--lineage-zoom", `${zoom}`), [element, zoom]);
}

/** Tells how many cards are in view. */
export function useSeen(scene: Scene, plan: Plan, onVisible: (count: number) => void): number {
  const count = useStore(({ transform: [x, y, zoom], width, height }) => {
    let seen = 0;
    scene.nodes.forEach((_, index) => {
      const spot = plan.spotOf(index);
      const [left, top] = [spot.x * zoom + x, spot.y * zoom + y];
      const isIn = left < width && top < height && left + CARD.width * zoom > 0 && top + CARD.height * zoom > 0;
      if (isIn) seen += 1;
    });
    return seen;
  });
  useEffect(() => onVisible(count), [count, onVisible]);
  return count;
}
