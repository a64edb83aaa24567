/** The view of the cards: fitting, zoom level, and the number of cards in view. */

import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { Scene } from "../scene";
import { CARD, type Plan } from "./plan";

const PADDING = { top: "46px", bottom: "16px", x: "24px" } as const;
export const ZOOM = { least: 0.02, most: 2 };

/** Maximum zoom when fitting few cards to the view. */
const NEAR = 1.1;

/** Duration of view animations in milliseconds; 0 if the user prefers reduced motion. */
export function glide(): number {
  return globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220;
}

/** Keeps all cards in view as the lineage grows, until the user moves the view; `fit` resumes this. */
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

/** The level of detail of a card: everything, its name, or only its shape. */
export function useNearness(): Nearness {
  return useStore(({ transform: [, , zoom] }) => (zoom >= 0.68 ? "near" : zoom >= 0.3 ? "middle" : "far"));
}

/** Sets the zoom as a CSS property, for text with the same size at any zoom. */
export function useZoomInStyle(element: HTMLElement | null): void {
  const zoom = useStore(({ transform }) => Math.max(0.05, Math.round(transform[2] * 50) / 50));
  useEffect(() => element?.style.setProperty("--lineage-zoom", `${zoom}`), [element, zoom]);
}

/** Counts the cards in view, and reports the count to `onVisible`. */
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
