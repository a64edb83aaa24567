/** The theme: the user's choice, otherwise the system's preference. */

import { useCallback, useSyncExternalStore } from "react";

export const THEMES = ["dark", "light", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "mendel.theme";
const CHANGED = "mendel:theme";

const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme);
const prefers = (query: string): boolean => window.matchMedia?.(query).matches ?? false;

function preferred(): Theme {
  if (prefers("(prefers-contrast: more)")) return "contrast";
  return prefers("(prefers-color-scheme: light)") ? "light" : "dark";
}

function chosen(): Theme | null {
  try {
    const kept = window.localStorage.getItem(KEY);
    return isTheme(kept) ? kept : null;
  } catch {
    return null;
  }
}

export function currentTheme(): Theme {
  const shown = document.documentElement.dataset.theme;
  return isTheme(shown) ? shown : (chosen() ?? preferred());
}

/** Apply a theme and store it. */
export function setTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be disabled; the theme still applies until the page is closed.
  }
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event(CHANGED));
}

/** Apply the initial theme; call it before the first render. */
export function startTheme(): void {
  document.documentElement.dataset.theme = chosen() ?? preferred();
}

function listen(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(listen, currentTheme);
  return [theme, useCallback(setTheme, [])];
}
