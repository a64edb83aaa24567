import { type ComponentType, lazy } from "react";

import { Problem } from "../wire/problem";
import { answers } from "../wire/reach";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
const MOST_REFUSALS = 3;

/** Error code: the server responds but no longer has a part of this page, because it serves a newer version. */
export const PAGE_CHANGED = "page_changed";

/**
 * A component that is loaded on first use. While the server is unreachable, loading is retried, and the surrounding
 * fallback is shown meanwhile.
 */
export function lazily<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => untilThere(load));
}

interface Ways {
  readonly wait?: (ms: number) => Promise<void>;
  readonly reached?: () => Promise<boolean>;
}

/** Call `load` until it succeeds; give up after three failures with a server that responds. */
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
  return new Problem(404, "The server has a newer version of this page", why, PAGE_CHANGED, "Reload the page.");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
