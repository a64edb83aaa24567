/** Figures in pairs: fitness of founder and winner, and the gate's measurements of both sides. */

import { isRecord, spoken } from "../candidate/findings";
import type { Metric, Proof, Verdict } from "../candidate/wire";
import type { Json } from "../wire/types";

export type Unit = "" | "seconds" | "bytes" | "share";

export interface Pair {
  readonly name: string;
  readonly label: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly unit: Unit;
  /** Whether higher is better; null if unknown. */
  readonly higherIsBetter: boolean | null;
}

/** The fitness of both, the components of their scores, then the comparisons of the verdict. */
export function pairsOf({ founder, winner, verdict }: Pick<Proof, "founder" | "winner" | "verdict">): Pair[] {
  return [...fitness(founder?.fitness ?? null, winner?.fitness ?? null), ...measured(verdict?.verdict ?? null)];
}

type Scored = { readonly total: number; readonly components: Readonly<Record<string, number>> } | null;

function fitness(before: Scored, after: Scored): Pair[] {
  if (before === null && after === null) return [];
  const parts = [...new Set([...Object.keys(before?.components ?? {}), ...Object.keys(after?.components ?? {})])];
  const pair = (name: string, label: string, one: number | undefined, other: number | undefined): Pair => ({
    name,
    label,
    before: one ?? null,
    after: other ?? null,
    unit: "",
    higherIsBetter: true,
  });
  const shown = parts.length > 1 ? parts : [];
  return [
    pair("fitness", "Fitness", before?.total, after?.total),
    ...shown.map((part) => pair(`fitness-${part}`, `Fitness, ${spoken(part)}`, before?.components[part], after?.components[part])),
  ];
}

const SUMMARIES: Readonly<Record<string, readonly [label: string, unit: Unit, higherIsBetter: boolean]>> = {
  pass_rate: ["Cases passed", "share", true],
  cpu_s: ["CPU time, all cases", "seconds", false],
  peak_memory_bytes: ["Peak memory", "bytes", false],
};

function measured(verdict: Verdict | null): Pair[] {
  const metrics = Object.entries(verdict?.metrics ?? {}).map(([name, metric]) => metricPair(name, metric));
  const sides = verdict?.summaries;
  if (!isRecord(sides?.baseline) || !isRecord(sides.candidate)) return metrics;
  const { baseline, candidate } = sides;
  const known = Object.entries(SUMMARIES).flatMap(([name, [label, unit, higherIsBetter]]) => {
    const [before, after] = [numeric(baseline[name]), numeric(candidate[name])];
    return before === null && after === null ? [] : [{ name, label, before, after, unit, higherIsBetter }];
  });
  return [...metrics, ...known];
}

function metricPair(name: string, { baseline, candidate, higher_is_better }: Metric): Pair {
  const unit = name === "time" ? "seconds" : "";
  const label = name === "time" ? "Time measured by the gate, median" : spoken(name);
  return { name, label, before: baseline.median, after: candidate.median, unit, higherIsBetter: higher_is_better };
}

const numeric = (value: Json | undefined): number | null => (typeof value === "number" ? value : null);

/** Measured time and memory vary: a smaller relative difference counts as noise. */
const NOISE = 0.01;

function isNoise({ before, after, unit }: Pair): boolean {
  if (before === null || after === null || (unit !== "seconds" && unit !== "bytes")) return false;
  return before !== after && Math.abs(after - before) < NOISE * Math.abs(before);
}

/** Which side is better, if either is. */
export function better(pair: Pair): "before" | "after" | null {
  const { before, after, higherIsBetter } = pair;
  if (before === null || after === null || higherIsBetter === null || before === after || isNoise(pair)) return null;
  return after > before === higherIsBetter ? "after" : "before";
}

/** The change in words: a factor or a percentage if both values are positive, otherwise a difference. */
export function changeText(pair: Pair): string {
  const { before, after } = pair;
  if (before === null || after === null) return "–";
  if (before === after) return "the same";
  if (isNoise(pair)) return "about the same";
  if (before > 0 && after > 0) {
    const ratio = after / before;
    return ratio >= 2 || ratio <= 0.5 ? `${plain(ratio >= 1 ? ratio : 1 / ratio)}× ${ratio >= 1 ? "more" : "less"}` : `${signed((ratio - 1) * 100)}%`;
  }
  return signed(after - before);
}

const plain = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 3 });
const signed = (value: number): string => (value >= 0 ? "+" : "−") + plain(Math.abs(value));
