/** What the explanation of a candidate says, as far as the page reads it. */

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

/** The explanation of whoever there is; where there is nobody, it is empty. */
export function explanationOf(told: Explanation | undefined): Explanation {
  return { ...NOTHING, ...told };
}
