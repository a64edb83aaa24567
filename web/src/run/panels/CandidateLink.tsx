/** The short name of a candidate or genome, as a button that opens the inspector. */

import { nick } from "../logic/amounts";
import type { RunView } from "../view";

interface CandidateLinkProps {
  readonly view: RunView;
  readonly id: string;
}

export function CandidateLink({ view, id }: CandidateLinkProps) {
  const { moment } = view;
  const candidate = moment.candidate(id) ?? moment.expressed(id).at(-1) ?? null;
  if (candidate === null) return <code title={id}>{nick(id)}</code>;
  return (
    <button
      type="button"
      className="run-link"
      title={`${id}: show in the inspector`}
      aria-pressed={view.selected === candidate.id}
      onClick={() => view.select(candidate.id)}
    >
      {nick(id)}
    </button>
  );
}
