/** Source with line numbers, and diffs. Both scroll in their own box. */

interface CodeProps {
  source: string;
  language?: string;
  /** The label for screen readers. */
  label?: string;
  numbered?: boolean;
}

export function Code({ source, language, label = "Source", numbered = true }: CodeProps) {
  const lines = source.replace(/\n$/, "").split("\n");
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label} data-language={language}>
      <code>
        {lines.map((line, index) => (
          <span key={index} className="code-line">
            {numbered && <span className="code-number" data-line={index + 1} aria-hidden="true" />}
            <span className="code-text">{line}</span>
            {"\n"}
          </span>
        ))}
      </code>
    </pre>
  );
}

export type DiffKind = "added" | "removed" | "same" | "place" | "file";

export interface DiffLine {
  readonly kind: DiffKind;
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** The lines of a unified diff, with their line numbers on both sides. */
export function diffLines(text: string): DiffLine[] {
  let before = 0;
  let after = 0;
  let inside = false;
  const read = (line: string): DiffLine => {
    const place = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (place !== null) {
      [before, after, inside] = [Number(place[1]), Number(place[2]), true];
      return { kind: "place", text: line, before: null, after: null };
    }
    if (!inside || line.startsWith("\\")) return { kind: "file", text: line, before: null, after: null };
    if (line.startsWith("+")) return { kind: "added", text: line.slice(1), before: null, after: after++ };
    if (line.startsWith("-")) return { kind: "removed", text: line.slice(1), before: before++, after: null };
    return { kind: "same", text: line.slice(1), before: before++, after: after++ };
  };
  return text.replace(/\n$/, "").split("\n").map(read);
}

const MARKS: Readonly<Record<DiffKind, string>> = { added: "+", removed: "−", same: " ", place: " ", file: " " };

/** A unified diff; every line has a mark in addition to its colour. */
export function Diff({ text, label = "Difference" }: { text: string; label?: string }) {
  const lines = diffLines(text);
  const count = (kind: DiffKind) => lines.filter((line) => line.kind === kind).length;
  return (
    <figure className="diff-box">
      <figcaption className="small muted">
        {label}: <span data-value="added">{count("added")}</span> {count("added") === 1 ? "line" : "lines"} added,{" "}
        <span data-value="removed">{count("removed")}</span> removed
      </figcaption>
      <pre className="code diff" tabIndex={0} role="region" aria-label={label}>
        <code>
          {lines.map((line, index) => (
            <span key={index} className={`code-line diff-${line.kind}`}>
              <span className="code-number" data-line={line.before ?? ""} aria-hidden="true" />
              <span className="code-number" data-line={line.after ?? ""} aria-hidden="true" />
              <span className="diff-mark">{MARKS[line.kind]}</span>
              <span className="code-text">{line.text}</span>
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
