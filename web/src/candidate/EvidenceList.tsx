/** Every operation about a candidate: step, outcome, findings and usage. */

import { Amount, duration, Empty, money, Status } from "../parts";
import type { Usage } from "../wire/types";
import { numberText, readable } from "./findings";
import type { Grid } from "./findings";
import type { EvidenceItem } from "./wire";

export function EvidenceList({ evidence }: { evidence: readonly EvidenceItem[] }) {
  if (evidence.length === 0) return <Empty title="No evidence">The log has no operation about this candidate.</Empty>;
  return (
    <ol className="inspect-list" data-panel="evidence">
      {evidence.map((item) => (
        <li key={item.operation_id}>
          <Operation item={item} />
        </li>
      ))}
    </ol>
  );
}

function Operation({ item }: { item: EvidenceItem }) {
  const outcome = item.outcome === "in_flight" || item.outcome === null ? "running" : item.outcome;
  return (
    <article className="stack inspect-operation" data-operation={item.operation_id}>
      <header className="row row-spread">
        {item.word === item.step ? <h3 className="mono">{item.step}</h3> : <h3 title={item.step}>{item.word}</h3>}
        <Status of="operation" value={outcome} />
      </header>
      <Findings findings={item.findings} />
      <Error error={item.error} />
      <p className="muted small">
        <Amount value={item.energy ?? 0} /> energy{usageText(item.usage)}
        {(item.attempt ?? 1) > 1 && <>, attempt {item.attempt}</>}
        {item.isolation != null && <>, sandbox {item.isolation}</>}
      </p>
    </article>
  );
}

function Error({ error }: { error: EvidenceItem["error"] }) {
  if (error === null || error === undefined) return null;
  const [code, message] = typeof error === "string" ? [error, ""] : [error.code, error.message];
  return (
    <p className="inspect-error">
      <code>{code}</code> {message}
    </p>
  );
}

const LONG = 40;

/** The findings as names and values. They are untrusted data, so they are rendered as text only. */
export function Findings({ findings }: { findings: EvidenceItem["findings"] }) {
  const { lines, grids } = readable(findings);
  if (lines.length === 0 && grids.length === 0) return null;
  return (
    <>
      {lines.length > 0 && (
        <dl className="inspect-values">
          {lines.map(({ name, text }) => (
            <div key={name} className={text.length > LONG ? "inspect-wide" : undefined}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {grids.map((grid) => (
        <GridTable key={grid.name} grid={grid} />
      ))}
    </>
  );
}

function GridTable({ grid: { name, columns, rows } }: { grid: Grid }) {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label={name}>
      <table className="table">
        <caption className="muted small">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="numeric">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={columns[place]} className="numeric">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MEBIBYTE = 1_048_576;

/** The usage of an operation, as the end of a sentence; zero amounts are left out. */
export function usageText(usage: Usage | null | undefined): string {
  const { wall_ms, cpu_ms, tokens_in = 0, tokens_out = 0, tool_calls, evaluations, opcodes, peak_memory_bytes, cost_microusd } = usage ?? {};
  const told = [
    wall_ms ? duration(wall_ms) : "",
    cpu_ms ? `${duration(cpu_ms)} of CPU` : "",
    opcodes ? `${numberText(opcodes)} opcodes` : "",
    tokens_in + tokens_out > 0 ? `${numberText(tokens_in + tokens_out)} tokens` : "",
    tool_calls ? `${numberText(tool_calls)} tool calls` : "",
    evaluations ? `${numberText(evaluations)} evaluations` : "",
    peak_memory_bytes ? `${numberText(peak_memory_bytes / MEBIBYTE)} MiB peak memory` : "",
    cost_microusd ? money(cost_microusd) : "",
  ].filter((part) => part !== "");
  return told.length === 0 ? "" : `, ${told.join(", ")}`;
}
