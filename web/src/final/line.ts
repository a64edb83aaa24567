/** The line of ancestors from a founder to the winner, one genome after the other. */

import type { Descent, Explanation } from "../candidate/explanation";

export interface Link {
  readonly genomeId: string;
  readonly birth: number;
  readonly operator: string | null;
  readonly why: string;
  /** The operator's own description of its change. */
  readonly note: string;
  /** The other parents, through which the line does not continue. */
  readonly others: readonly string[];
}

/** The line, founder first. It follows the first parent that is known in this run. */
export function lineOf(explanation: Explanation): Link[] {
  const known = new Map([explanation.genome, ...explanation.ancestors].flatMap((each) => (each ? [[each.genome_id, each]] : [])) as [string, Descent][]);
  const line: Link[] = [];
  const seen = new Set<string>();
  let current = explanation.genome;
  while (current !== null && !seen.has(current.genome_id)) {
    seen.add(current.genome_id);
    const next: Descent | null = current.parents.map((parent) => known.get(parent)).find((each) => each !== undefined) ?? null;
    line.push(linkOf(current, next));
    current = next;
  }
  return line.reverse();
}

function linkOf(descent: Descent, next: Descent | null): Link {
  const { genome_id, birth, operator, why, choices, parents } = descent;
  const note = typeof choices.note === "string" ? choices.note : "";
  const others = parents.filter((parent) => parent !== next?.genome_id);
  return { genomeId: genome_id, birth, operator, why, note, others };
}
