/** Keys of the page: whoever is shown registers its own, and `?` lists them all. */

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

/** Everything that has a key now. */
export function useKeys(): readonly KeyEntry[] {
  return useSyncExternalStore(subscribe, () => entries);
}

/** React to a key while the component is shown, unless somebody types; of equal keys the latest wins. `key` null: none. */
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

/** Lists the keys; nobody who does not type has another use for it. */
export const LISTS = "?";

/** A slider has a use for these only; whatever else is pressed on it is free. */
const SLIDER = "input[type=range], [role=slider]";
const SLIDES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

const PRESSED = "button, a, summary, input, select, textarea, [role=button], [role=option], [role=tab], tr[tabindex]";

function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target;
  if (!(target instanceof Element)) return true;
  // Space and Enter press what has the focus.
  if ((event.key === " " || event.key === "Enter") && target.closest(PRESSED) !== null) return false;
  // Controls that have a use for the key themselves keep it; so does whatever is in a dialog.
  if (target.closest(`${TYPED_INTO}, dialog`) !== null) return false;
  if (SLIDES.has(event.key) && target.closest(SLIDER) !== null) return false;
  return event.key === LISTS || target.closest("[role=tablist], [data-keys=own]") === null;
}

/** Listens for all of them; stands once in the shell. */
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
