/**
 * The usage of the caps at a moment, including reservations for operations in flight. It is computed from the rows alone, so
 * live and replay agree with each other and with the server's health.
 */

import type { Moment } from "../../history";

export type Used = Readonly<Record<string, number | null>>;

export function usedAt(moment: Moment): Used {
  const { totals, genomes, generations } = moment;
  const { counted } = totals;
  return {
    wall_clock_ms: moment.conducting?.wallClockMs ?? sinceStarted(moment),
    energy_budget: totals.energy + counted.reservedEnergy,
    max_cost_microusd: counted.costMicrousd,
    max_tokens: counted.tokens,
    max_candidates: totals.candidates,
    max_generations: generations.length,
    max_population: moment.population,
    max_spawn_depth: genomes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
    max_tool_calls: counted.toolCalls,
    max_evaluations: counted.evaluations,
  };
}

/** The time since the start, for rows without conductor times: then all time counts. */
function sinceStarted({ run, time }: Moment): number | null {
  return run.startedAt === null || time === null ? null : Math.max(0, time - Date.parse(run.startedAt));
}
