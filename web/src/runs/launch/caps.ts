/** Caps of a run in the form, clamped to their ceilings, because the server rejects anything above. */

import type { Caps } from "../../wire/types";

export interface CapField {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  /** Number of form units per API unit. */
  readonly scale: number;
  readonly initial: number;
  readonly ceiling: number;
}

const KNOWN: Readonly<Record<string, readonly [label: string, unit: string, scale: number]>> = {
  max_population: ["Population", "alive at once", 1],
  max_generations: ["Generations", "", 1],
  max_candidates: ["Candidates", "in total", 1],
  energy_budget: ["Energy", "units", 1],
  max_spawn_depth: ["Lineage depth", "births", 1],
  max_tool_calls: ["Tool calls", "", 1],
  max_evaluations: ["Evaluations", "programs run against cases", 1],
  max_tokens: ["Tokens", "for models", 1],
  max_cost_microusd: ["Cost", "US dollars", 1e-6],
  wall_clock_ms: ["Wall clock", "seconds", 1e-3],
};

/** The caps with a ceiling, in form units. */
export function capFields(defaults: Caps, ceilings: Caps): CapField[] {
  return Object.entries(ceilings).flatMap(([name, ceiling]) => {
    if (typeof ceiling !== "number") return [];
    const [label, unit, scale] = KNOWN[name] ?? [name.replaceAll("_", " "), "", 1];
    const initial = Math.min(defaults[name] ?? ceiling, ceiling);
    return [{ name, label, unit, scale, initial: scaled(initial, scale), ceiling: scaled(ceiling, scale) }];
  });
}

const scaled = (value: number, scale: number): number => (scale === 1 ? value : Number((value * scale).toPrecision(12)));

export interface Clamped {
  /** The value to send, in form units. */
  readonly value: number;
  /** Why it differs from the typed text; null if it does not. */
  readonly note: string | null;
}

/** The typed text as a valid cap: at least 0, at most the ceiling. */
export function clamped(typed: string, field: CapField): Clamped {
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value)) return { value: field.initial, note: "Not a number: the default applies." };
  if (value > field.ceiling) return { value: field.ceiling, note: `The ceiling of this server is ${plain(field.ceiling)}.` };
  if (value < 0) return { value: 0, note: "A limit must be at least 0." };
  const whole = field.scale === 1 ? Math.trunc(value) : value;
  return { value: whole, note: whole === value ? null : "A limit must be a whole number." };
}

const plain = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 6 });

export const onWire = (value: number, field: CapField): number => Math.trunc(Number((value / field.scale).toPrecision(15)));

/** Whether the user has set the cap; other caps follow from the inputs. */
export const isSet = (typed: string | undefined): typed is string => typed !== undefined && typed.trim() !== "";

/** The caps to send: those that are set, clamped. */
export function capsToSend(fields: readonly CapField[], typed: Readonly<Record<string, string>>): Record<string, number> {
  const sent: Record<string, number> = {};
  for (const field of fields) {
    const text = typed[field.name];
    if (isSet(text)) sent[field.name] = onWire(clamped(text, field).value, field);
  }
  return sent;
}

const STEPS = 1000;

/** The slider position (0 to 1000) of a value; logarithmic, because caps span many orders of magnitude. */
export function sliderOf(value: number, ceiling: number): number {
  if (ceiling <= 0 || value <= 0) return 0;
  return Math.round((STEPS * Math.log1p(value)) / Math.log1p(ceiling));
}

/** The value at a slider position, rounded to two digits; exactly the ceiling at the end. */
export function valueAt(place: number, field: CapField): number {
  if (place >= STEPS) return field.ceiling;
  const exact = Math.expm1((place / STEPS) * Math.log1p(field.ceiling));
  const round = Number(exact.toPrecision(2));
  return Math.min(field.ceiling, field.scale === 1 ? Math.round(round) : round);
}
