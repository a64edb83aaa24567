/** The origin of a candidate, step by step, and its selection and adoption. */

import { ShortId, words } from "../parts";
import { textOf } from "./findings";
import { explanationOf } from "./explanation";
import type { AdoptionNote, Descent, Explanation, SelectionNote } from "./explanation";
import type { Detail } from "./wire";

const MOST_ANCESTORS = 60;

export function Origins({ detail }: { detail: Detail }) {
  const told = explanationOf(detail.explanation);
  return (
    <div className="stack" data-panel="origins">
      {told.genome !== null && <Birth descent={told.genome} />}
      <Ancestors ancestors={told.ancestors} />
      <Trouble told={told} />
      <Afterwards selection={told.selection} adoptions={told.adoptions} />
    </div>
  );
}

function Birth({ descent }: { descent: Descent }) {
  const { operator, parents, why, choices } = descent;
  const rest = Object.entries(choices).filter(([name]) => name !== "note" && name !== "operator");
  return (
    <section>
      <h3>Birth {descent.birth}</h3>
      <p>
        {parents.length === 0 ? (
          "A founder: the run started with it."
        ) : (
          <>
            Made by <strong data-value="operator">{operator ?? "an unnamed operator"}</strong> from{" "}
            {parents.length === 1 ? "one parent" : `${parents.length} parents`}.
          </>
        )}
      </p>
      {typeof choices.note === "string" && <p className="inspect-note">{choices.note}</p>}
      {why !== "" && <p className="muted">Why this parent: {why}</p>}
      {rest.length > 0 && (
        <dl className="inspect-values">
          {rest.map(([name, value]) => (
            <div key={name}>
              <dt>{words(name)}</dt>
              <dd>{textOf(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Ancestors({ ancestors }: { ancestors: readonly Descent[] }) {
  if (ancestors.length === 0) return null;
  const shown = ancestors.slice(0, MOST_ANCESTORS);
  return (
    <section>
      <h3>
        Ancestors (<span data-value="ancestors">{ancestors.length}</span>)
      </h3>
      <ol className="inspect-ancestors">
        {shown.map((each) => (
          <li key={each.genome_id}>
            <span className="muted">{each.distance} before</span> birth {each.birth}{" "}
            {each.operator === null ? "founder" : <>by {each.operator}</>} <ShortId id={each.genome_id} />
            {typeof each.choices.note === "string" && <span className="muted"> {each.choices.note}</span>}
          </li>
        ))}
      </ol>
      {shown.length < ancestors.length && <p className="muted">and {ancestors.length - shown.length} more</p>}
    </section>
  );
}

function Trouble({ told: { repairs, invalidated, rejected } }: { told: Explanation }) {
  if (repairs.length === 0 && invalidated === null && rejected.length === 0) return null;
  return (
    <section>
      <h3>Problems</h3>
      <ul className="inspect-reasons">
        {repairs.map((each) => (
          <li key={each.sequence}>Malformed, repaired: {each.reason}</li>
        ))}
        {invalidated !== null && <li>Invalid: {invalidated}</li>}
        {rejected.map(({ code, message }) => (
          <li key={code + message}>Rejected: {message}</li>
        ))}
      </ul>
    </section>
  );
}

const TYPES: Readonly<Record<string, string>> = {
  "genome.eligible": "may become a parent",
  "candidate.selected": "was selected",
  "genome.reproduced": "became a parent",
  "lineage.culled": "was culled",
};
const ADOPTIONS = { made: "was adopted", confirmed: "was confirmed", revoked: "was revoked" } as const;

interface AfterwardsProps {
  selection: readonly SelectionNote[];
  adoptions: readonly AdoptionNote[];
}

function Afterwards({ selection, adoptions }: AfterwardsProps) {
  const notes = [
    ...selection.map((note) => ({ sequence: note.sequence, said: TYPES[note.type] ?? words(note.type), more: selectionText(note) })),
    ...adoptions.map((note) => ({ sequence: note.sequence, said: ADOPTIONS[note.outcome], more: note.reason ?? `in ${note.niche}` })),
  ].sort((one, other) => one.sequence - other.sequence);
  if (notes.length === 0) return null;
  return (
    <section>
      <h3>Selection and adoption</h3>
      <ol className="inspect-after">
        {notes.map(({ sequence, said, more }) => (
          <li key={`${sequence}${said}`}>
            <span className="muted mono">{sequence}</span> {said}
            {more !== "" && <span className="muted">: {more}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function selectionText({ reason, children }: SelectionNote): string {
  if (reason !== null && reason !== undefined) return reason;
  return children.length === 0 ? "" : `${children.length} ${children.length === 1 ? "child" : "children"}`;
}
