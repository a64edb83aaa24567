/** Whether a run is heard of. It depends on the time too: silence grows while nothing happens. */

/** Three heartbeats of a conductor, as the server has it. */
export const STALLED_AFTER_MS = 15_000;

const CONDUCTED = new Set(["running", "completing", "stopping"]);

export type Pulse = "beating" | "stale" | "over" | "waiting";

/** How a run is, in one word: whoever should be conducted and is silent for too long is stale. */
export function pulseOf(status: string | null, lastEventMs: number | null, nowMs: number): Pulse {
  if (status === null || status === "configured") return "waiting";
  if (!CONDUCTED.has(status)) return "over";
  return lastEventMs !== null && nowMs - lastEventMs > STALLED_AFTER_MS ? "stale" : "beating";
}

export const PULSES = {
  beating: { tone: "good", shape: "dot", label: "Alive" },
  stale: { tone: "bad", shape: "triangle", label: "Silent for too long" },
  over: { tone: "idle", shape: "square", label: "Over" },
  waiting: { tone: "idle", shape: "ring", label: "Not started" },
} as const satisfies Record<Pulse, object>;
