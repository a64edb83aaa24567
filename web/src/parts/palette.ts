/** The theme's colours for canvases, which cannot use the style sheet. */

import { useMemo } from "react";

import { useTheme } from "../shell/theme";

export interface Palette {
  readonly ground: string;
  readonly surface: string;
  readonly raised: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly good: string;
  readonly warn: string;
  readonly bad: string;
  readonly info: string;
  readonly idle: string;
  readonly series: readonly string[];
  /** From low to high. */
  readonly ramp: readonly string[];
}

const NAMES = ["ground", "surface", "raised", "line", "text", "muted", "accent", "good", "warn", "bad", "info", "idle"] as const;

export function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim() || "#888888";
  const told = Object.fromEntries(NAMES.map((name) => [name, token(name)])) as Record<(typeof NAMES)[number], string>;
  return {
    ...told,
    series: [1, 2, 3, 4, 5, 6, 7].map((number) => token(`series-${number}`)),
    ramp: [0, 1, 2, 3, 4].map((number) => token(`ramp-${number}`)),
  };
}

/** The colours of the current theme; a new object for each theme. */
export function usePalette(): Palette {
  const [theme] = useTheme();
  // `theme` is not used directly, but the computed style depends on it.
  return useMemo(() => palette(), [theme]);
}

/** The colour at a share between 0 and 1 of a ramp of #rrggbb colours. */
export function rampColour(ramp: readonly string[], share: number): string {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const low = Math.min(Math.floor(place), ramp.length - 2);
  const [from, to] = [channels(ramp[low] ?? ""), channels(ramp[low + 1] ?? "")];
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * (place - low)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) || 0);
}
