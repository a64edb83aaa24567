/** Keyboard shortcuts: each mounted component registers its own, and `?` lists them all. */

import { useEffect, useRef, useSyncExternalStore } from "react";

export interface KeyEntry {
  readonly key: string;
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
}

let entries: readonly KeyEntry[] = [];
const listeners = new Set<() => void>();

function set(next: readonly KeyEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All currently registered shortcuts. */
export function useKeys(): readonly KeyEntry[] {
  return useSyncExternalStore(subscribe, () => entries);
}

/** Register a shortcut while the component is mounted; the latest wins. Ignored while the user types. Null registers none. */
export function useKey(key: string | null, label: string, run: (event: KeyboardEvent) => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (key === null) return undefined;
    const entry: KeyEntry = { key, label, run: (event) => latest.current(event) };
    set([...entries, entry]);
    return () => set(entries.filter((each) => each !== entry));
  }, [key, label]);
}

const TYPED_INTO = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, [contenteditable=true]";

/** The key that lists the shortcuts; unlike others, it also works in components with keys of their own. */
export const LISTS = "?";

/** Sliders use only these keys; others are shortcuts there too. */
const SLIDER = "input[type=range], [role=slider]";
const SLIDES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

const PRESSED = "button, a, summary, input, select, textarea, [role=button], [role=option], [role=tab], tr[tabindex]";

function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target;
  if (!(target instanceof Element)) return true;
  // Space and Enter activate the focused control.
  if ((event.key === " " || event.key === "Enter") && target.closest(PRESSED) !== null) return false;
  // Controls that use the key themselves keep it, as does everything in a dialog.
  if (target.closest(`${TYPED_INTO}, dialog`) !== null) return false;
  if (SLIDES.has(event.key) && target.closest(SLIDER) !== null) return false;
  return event.key === LISTS || target.closest("[role=tablist], [data-keys=own]") === null;
}

/** Handles all shortcuts; use it once, in the shell. */
export function useKeyListener(): void {
  useEffect(() => {
    const react = (event: KeyboardEvent) => {
      const entry = isFree(event) ? entries.findLast((each) => each.key === event.key) : undefined;
      if (entry === undefined) return;
      event.preventDefault();
      entry.run(event);
    };
    window.addEventListener("keydown", react);
    return () => window.removeEventListener("keydown", react);
  }, []);
}
