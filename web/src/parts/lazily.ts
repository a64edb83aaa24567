import { type ComponentType, lazy } from "react";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;

/**
 * A part of the page that is loaded when it is first shown. While the server cannot be reached it is asked again and
 * again, so that a connection that was lost costs nothing but time: what is shown meanwhile is the fallback around it.
 */
export function lazily<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => untilThere(load));
}

/** What `load` answers, however often it has to be asked. */
export async function untilThere<Found>(load: () => Promise<Found>, wait: (ms: number) => Promise<void> = pause): Promise<Found> {
  for (let ms = FIRST_MS; ; ms = Math.min(2 * ms, LONGEST_MS)) {
    try {
      return await load();
    } catch {
      await wait(ms);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
