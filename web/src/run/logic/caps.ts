/** The used share of each cap. */

export interface CapUse {
  readonly name: string;
  readonly label: string;
  readonly unit: "count" | "energy" | "money" | "ms";
  readonly used: number;
  readonly limit: number | null;
  /** From 0 to 1; null without a limit. */
  readonly share: number | null;
  readonly level: "calm" | "near" | "full";
}

const CAPS: readonly (readonly [name: string, label: string, unit: CapUse["unit"]])[] = [
  ["energy_budget", "Energy", "energy"],
  ["max_cost_microusd", "Cost", "money"],
  ["max_tokens", "Tokens", "count"],
  ["wall_clock_ms", "Wall clock", "ms"],
  ["max_candidates", "Candidates", "count"],
  ["max_generations", "Generations", "count"],
  ["max_population", "Population", "count"],
  ["max_spawn_depth", "Lineage depth", "count"],
  ["max_tool_calls", "Tool calls", "count"],
  ["max_evaluations", "Evaluations", "count"],
];

const NEAR = 0.8;

/** Every cap with its usage; caps with unknown usage are left out. */
export function capUses(
  limits: Readonly<Record<string, number | null>>,
  used: Readonly<Record<string, number | null>>,
): CapUse[] {
  return CAPS.flatMap(([name, label, unit]) => {
    const limit = limits[name] ?? null;
    const amount = used[name] ?? null;
    if (amount === null) return [];
    const share = limit === null ? null : Math.min(amount / limit, 1);
    return [{ name, label, unit, used: amount, limit, share, level: levelOf(share) }];
  });
}

function levelOf(share: number | null): CapUse["level"] {
  if (share === null || share < NEAR) return "calm";
  return share < 1 ? "near" : "full";
}
