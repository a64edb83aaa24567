/** The appearance of statuses: few kinds, each with a shape, a word and a colour, so that colour is never the only cue. */

import type { LineageNode } from "./types";

export type Kind = "winner" | "champion" | "parent" | "scored" | "begun" | "culled" | "failed";

export interface Look {
  readonly kind: Kind;
  /** The text in the legend. */
  readonly title: string;
  /** The shape as a path in a square from -1 to 1; used by cards and overview. */
  readonly path: string;
  /** Drawn as an outline only. */
  readonly hollow: boolean;
}

const CIRCLE = "M0.8 0A0.8 0.8 0 1 1 -0.8 0A0.8 0.8 0 1 1 0.8 0Z";
const SQUARE = "M-0.72 -0.72H0.72V0.72H-0.72Z";
const DIAMOND = "M0 -1L1 0L0 1L-1 0Z";
const CROSS = "M-0.85 -0.5L-0.5 -0.85L0 -0.35L0.5 -0.85L0.85 -0.5L0.35 0L0.85 0.5L0.5 0.85L0 0.35L-0.5 0.85L-0.85 0.5L-0.35 0Z";
const WEDGE = "M-0.85 -0.6H0.85L0 0.85Z";
const STAR =
  "M0 -1L0.265 -0.364L0.951 -0.309L0.428 0.139L0.588 0.809L0 0.45L-0.588 0.809L-0.428 0.139L-0.951 -0.309L-0.265 -0.364Z";

/** In the order of the legend; the index of a look is its number in the overview's buffers. */
export const LOOKS: readonly Look[] = [
  { kind: "winner", title: "winner", path: STAR, hollow: false },
  { kind: "champion", title: "champion", path: DIAMOND, hollow: false },
  { kind: "parent", title: "parent, or eligible as one", path: SQUARE, hollow: false },
  { kind: "scored", title: "scored", path: CIRCLE, hollow: false },
  { kind: "begun", title: "not scored yet", path: CIRCLE, hollow: true },
  { kind: "culled", title: "culled", path: WEDGE, hollow: true },
  { kind: "failed", title: "failed or rejected", path: CROSS, hollow: false },
];

const KIND_OF: Readonly<Record<string, Kind>> = {
  eligible_parent: "parent",
  reproduced: "parent",
  selected: "parent",
  scored: "scored",
  spent: "scored",
  culled: "culled",
  failed: "failed",
  rejected: "failed",
  invalid: "failed",
};

type Judged = Pick<LineageNode, "final" | "champion" | "status" | "fitness">;

export function kindOf(node: Judged): Kind {
  if (node.final) return "winner";
  if (node.champion) return "champion";
  const kind = KIND_OF[node.status];
  if (kind === "scored" && node.fitness === null) return "begun";
  return kind ?? "begun";
}

const NUMBERS = new Map(LOOKS.map((look, number) => [look.kind, number]));

export function numberOf(kind: Kind): number {
  return NUMBERS.get(kind) ?? 0;
}

export function lookOf(node: Judged): Look {
  const look = LOOKS[numberOf(kindOf(node))];
  if (look === undefined) throw new Error(`no look for a node that is ${kindOf(node)}`);
  return look;
}

/** A full description of a node, for screen readers. */
export function spoken(node: LineageNode, columnName: string): string {
  const parts = [node.label, `${columnName} ${node.column}`];
  if (node.final) parts.push("winner");
  if (node.champion) parts.push("champion");
  parts.push(words(node.status), node.fitness === null ? "no fitness" : `fitness ${figure(node.fitness)}`, ...descent(node));
  if (node.working) parts.push("operation in flight");
  return parts.join(", ");
}

/** The details that do not fit on a card. */
export function unsaid(node: LineageNode, columnName: string): string {
  return [`${columnName} ${node.column}`, ...descent(node)].join(", ");
}

function descent(node: LineageNode): readonly string[] {
  const parents = node.parents.length === 0 ? "founder" : counted(node.parents.length, "parent");
  return node.operator === null ? [parents] : [`by ${words(node.operator)}`, parents];
}

export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** A name truncated so that it does not cover others. */
export function cut(name: string, most = 28): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A fitness with three digits, for little space. */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 100_000 || size < 0.001)) return value.toExponential(1);
  return value.toLocaleString("en", { maximumSignificantDigits: size >= 100 ? 6 : 3, maximumFractionDigits: 3 });
}

/** A fitness in about five characters, whatever its size. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 100_000 || size < 0.001)) return value.toExponential(2);
  return value.toLocaleString("en", { maximumFractionDigits: size >= 100 ? 1 : size >= 10 ? 2 : 4 });
}
