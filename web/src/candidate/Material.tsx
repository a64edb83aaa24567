/** A candidate's material and its differences from its parents. Untrusted: rendered as text, never as markup. */

import { useState } from "react";

import { Code, Diff, Empty, SelectField, ShortId } from "../parts";
import type { Parent } from "../wire/types";
import type { Detail } from "./wire";

/** The default view of a candidate, for every domain without a view of its own. */
export function TextView({ detail: { text, content, summary } }: { detail: Detail }) {
  const [path, setPath] = useState("");
  if (text === null) return <Recorded content={content} summary={summary} />;
  const files = text.files ?? [];
  const shown = files.find((file) => file.path === path) ?? files[0];
  return (
    <div className="stack">
      {summary !== "" && <p>{summary}</p>}
      {files.length > 1 && (
        <SelectField
          label="File"
          value={shown?.path ?? ""}
          options={files.map((file) => ({ value: file.path, label: file.path }))}
          onChange={setPath}
        />
      )}
      <Code source={files.length > 1 ? (shown?.source ?? "") : text.source} language={text.language} label="Candidate" />
    </div>
  );
}

function Recorded({ content, summary }: Pick<Detail, "content" | "summary">) {
  if (content === undefined && summary === "") return <Empty title="No text">The log has no readable material of this candidate.</Empty>;
  return (
    <div className="stack">
      {summary !== "" && <p>{summary}</p>}
      {content !== undefined && <Code source={JSON.stringify(content, null, 2)} language="json" label="As recorded" />}
    </div>
  );
}

export function Differences({ parents }: { parents: readonly Parent[] }) {
  if (parents.length === 0) return <Empty title="No parents">This candidate is a founder: the run started with it.</Empty>;
  return (
    <div className="stack" data-panel="differences">
      {parents.map((parent) => (
        <section key={parent.genome_id} className="stack">
          <h3>
            From <ShortId id={parent.candidate_id ?? parent.genome_id} />
            {parent.operator !== null && <span className="muted"> by {parent.operator}</span>}
          </h3>
          <Difference diff={parent.diff} />
        </section>
      ))}
    </div>
  );
}

export function Difference({ diff, label = "Difference from the parent" }: { diff: string | null; label?: string }) {
  if (diff === null) return <p className="muted">This log contains only one of the two texts, so they cannot be compared.</p>;
  if (diff.trim() === "") return <p className="muted">The texts are identical.</p>;
  return <Diff text={diff} label={label} />;
}
