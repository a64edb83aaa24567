/** What the explanation of a candidate says, as far as the page reads it. Whatever is missing is told as missing. */

import type { Json, JsonObject } from "../wire/types";
import type { Reason } from "./wire";

/** How a genome came about; `distance` is 0 for the candidate's own. */
export interface Descent {
  readonly genome_id: string;
  readonly distance: number;
  readonly birth: number;
  readonly generation_id: string | null;
  readonly parents: readonly string[];
  readonly operator: string | null;
  readonly why: string;
  readonly choices: JsonObject;
}

export interface SelectionNote {
  readonly sequence: number;
  readonly type: string;
  readonly reason: string | null;
  readonly children: readonly string[];
}

export interface AdoptionNote {
  readonly sequence: number;
  readonly outcome: "made" | "confirmed" | "revoked";
  readonly niche: string;
  readonly replaces: string | null;
  readonly restores: string | null;
  readonly reason: string | null;
}

export interface Explanation {
  readonly genome: Descent | null;
  readonly ancestors: readonly Descent[];
  readonly repairs: readonly { readonly sequence: number; readonly reason: string }[];
  readonly invalidated: string | null;
  readonly rejected: readonly Reason[];
  readonly weights: Readonly<Record<string, number>>;
  readonly selection: readonly SelectionNote[];
  readonly adoptions: readonly AdoptionNote[];
}

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

/** The explanation of the wire; what an older server does not say is empty. */
export function explanationOf(told: Json | JsonObject | null | undefined): Explanation {
  if (typeof told !== "object" || told === null || Array.isArray(told)) return NOTHING;
  return { ...NOTHING, ...(told as unknown as Partial<Explanation>) };
}
