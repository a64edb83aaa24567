import { type ComponentType, lazy } from "react";

import { Problem } from "../wire/problem";
import { answers } from "../wire/reach";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
const MOST_REFUSALS = 3;

/** The server answers and does not have a part of this page any more: it has a newer page. */
export const PAGE_CHANGED = "page_changed";

/**
 * A part of the page that is loaded when it is first shown. While the server cannot be reached it is asked again and
 * again, so that a connection that was lost costs nothing but time: what is shown meanwhile is the fallback around it.
 */
export function lazily<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => untilThere(load));
}

interface Ways {
  readonly wait?: (ms: number) => Promise<void>;
  readonly reached?: () => Promise<boolean>;
}

/** What `load` answers, however often it has to be asked; a server that answers without it is asked three times. */
export async function untilThere<Found>(
  load: () => Promise<Found>,
  { wait = pause, reached = answers }: Ways = {},
): Promise<Found> {
  let refusals = 0;
  for (let ms = FIRST_MS; ; ms = Math.min(2 * ms, LONGEST_MS)) {
    try {
      return await load();
    } catch (error) {
      if (await reached()) refusals += 1;
      if (refusals === MOST_REFUSALS) throw changed(error);
      await wait(ms);
    }
  }
}

function changed(error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error);
  return new Problem(404, "The server has another page by now", why, PAGE_CHANGED, "Load the page anew.");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
