/** What of the caps is used at a moment: from the rows, and from the server where it knows more. */

import type { Moment } from "../../history";
import type { Health } from "../../wire/types";

export type Used = Readonly<Record<string, number | null>>;

/** What the rows say goes before what the server said a while ago. */
export function usedAt(moment: Moment, health: Health | null): Used {
  const { totals, genomes, generations, run, time } = moment;
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  return {
    ...(health === null ? { wall_clock_ms: started === null || time === null ? null : Math.max(0, time - started) } : told(health)),
    energy_budget: totals.energy,
    max_cost_microusd: totals.costMicrousd,
    max_tokens: totals.tokens,
    max_candidates: totals.candidates,
    max_generations: generations.length,
    max_spawn_depth: genomes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
  };
}

function told(health: Health): Used {
  const caps = health.caps;
  if (typeof caps !== "object" || caps === null) return {};
  const uses = Object.entries(caps as Record<string, { used?: unknown }>);
  return Object.fromEntries(uses.map(([name, use]) => [name, typeof use.used === "number" ? use.used : null]));
}
