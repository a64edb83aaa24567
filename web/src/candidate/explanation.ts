/** The parts of a candidate's explanation that the page uses. */

import type { Explanation as Whole } from "./wire";

export type { Descent } from "./wire";
export type SelectionNote = Whole["selection"][number];
export type AdoptionNote = Whole["adoptions"][number];
export type Explanation = Pick<
  Whole,
  "genome" | "ancestors" | "repairs" | "invalidated" | "rejected" | "weights" | "selection" | "adoptions"
>;

const NOTHING: Explanation = {
  genome: null,
  ancestors: [],
  repairs: [],
  invalidated: null,
  rejected: [],
  weights: {},
  selection: [],
  adoptions: [],
};

/** The explanation with missing parts filled in; an empty one if there is no candidate. */
export function explanationOf(told: Explanation | undefined): Explanation {
  return { ...NOTHING, ...told };
}
