/** Whether a run is alive. This depends on the current time: a run without new events becomes stale. */

/** Three heartbeat intervals of a conductor; the server uses the same value. */
export const STALLED_AFTER_MS = 15_000;

const CONDUCTED = new Set(["running", "completing", "stopping"]);

export type Pulse = "beating" | "stale" | "over" | "waiting";

/** The pulse of a run; a run that needs a conductor and has recorded nothing for too long is stale. */
export function pulseOf(status: string | null, lastEventMs: number | null, nowMs: number): Pulse {
  if (status === null || status === "configured") return "waiting";
  if (!CONDUCTED.has(status)) return "over";
  return lastEventMs !== null && nowMs - lastEventMs > STALLED_AFTER_MS ? "stale" : "beating";
}

export const PULSES = {
  beating: { tone: "good", shape: "dot", label: "Alive" },
  stale: { tone: "bad", shape: "triangle", label: "No events for too long" },
  over: { tone: "idle", shape: "square", label: "Ended" },
  waiting: { tone: "idle", shape: "ring", label: "Not started" },
} as const satisfies Record<Pulse, object>;
