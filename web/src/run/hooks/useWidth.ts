/** The width of an element, for drawings that must not scale their text. */

import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";

export function useWidth(otherwise: number): [RefObject<SVGSVGElement | null>, number] {
  const element = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(otherwise);
  useEffect(() => {
    const shown = element.current;
    if (shown === null) return undefined;
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? otherwise) || otherwise));
    watcher.observe(shown);
    return () => watcher.disconnect();
  }, [otherwise]);
  return [element, width];
}
