/** The theme's colours as numbers, for canvas drawing. */

import { useEffect, useState } from "react";
import type { Rgb } from "./scale";

export interface Palette {
  /** The theme that the colours belong to. */
  readonly theme: string;
  readonly ground: Rgb;
  readonly ink: Rgb;
  readonly edge: Rgb;
  readonly kin: Rgb;
  readonly quiet: Rgb;
  readonly failed: Rgb;
  readonly working: Rgb;
  /** From the lowest fitness to the highest. */
  readonly scale: readonly Rgb[];
  readonly font: string;
}

const STOPS = 5;

/** The colours at an element, updated when the theme changes. */
export function usePalette(element: HTMLElement | null): Palette | null {
  const [palette, setPalette] = useState<Palette | null>(null);
  useEffect(() => {
    if (element === null) return;
    const read = () => setPalette(paletteAt(element));
    read();
    const watcher = new MutationObserver(read);
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => watcher.disconnect();
  }, [element]);
  return palette;
}

function paletteAt(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const named = (name: string) => colourOf(style.getPropertyValue(`--lineage-${name}`));
  return {
    theme: document.documentElement.dataset["theme"] ?? "",
    ground: named("ground"),
    ink: named("ink"),
    edge: named("edge"),
    kin: named("kin"),
    quiet: named("quiet"),
    failed: named("failed"),
    working: named("working"),
    scale: Array.from({ length: STOPS }, (_, stop) => named(`scale-${stop}`)),
    font: style.fontFamily,
  };
}

const GREY: Rgb = [128, 128, 128];

/** Parse a CSS colour into red, green and blue; grey if it cannot be parsed. */
export function colourOf(text: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim());
  if (hex?.[1] !== undefined) return fromHex(hex[1]);
  const brush = document.createElement("canvas").getContext("2d");
  if (brush === null) return GREY;
  brush.fillStyle = "#808080";
  brush.fillStyle = text.trim();
  const parts = /^#([0-9a-f]{6})$/i.exec(brush.fillStyle);
  return parts?.[1] === undefined ? GREY : fromHex(parts[1]);
}

function fromHex(digits: string): Rgb {
  const number = Number.parseInt(digits, 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

export function css(colour: Rgb, alpha = 1): string {
  return `rgba(${colour[0]}, ${colour[1]}, ${colour[2]}, ${alpha})`;
}
