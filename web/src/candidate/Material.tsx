/** A candidate's material as text, and how it differs from its parents. Untrusted: shown as text, never as markup. */

import { useState } from "react";

import { Code, Diff, Empty, SelectField, ShortId } from "../parts";
import type { Parent } from "../wire/types";
import type { Detail } from "./wire";

/** How every domain's candidate can be shown. */
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
  if (content === undefined && summary === "") return <Empty title="No text">The log holds no readable material of it.</Empty>;
  return (
    <div className="stack">
      {summary !== "" && <p>{summary}</p>}
      {content !== undefined && <Code source={JSON.stringify(content, null, 2)} language="json" label="As recorded" />}
    </div>
  );
}

export function Differences({ parents }: { parents: readonly Parent[] }) {
  if (parents.length === 0) return <Empty title="No parents">This is a founder: there is nothing before it in this run.</Empty>;
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

export function Difference({ diff, label = "Difference to the parent" }: { diff: string | null; label?: string }) {
  if (diff === null) return <p className="muted">One of the two texts is not in this log, so there is no difference to show.</p>;
  if (diff.trim() === "") return <p className="muted">The texts are the same.</p>;
  return <Diff text={diff} label={label} />;
}
