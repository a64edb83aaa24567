/** The audit of a program drawn: its speed-up by the size of inputs, on a scale of ratios. */

import type { CSSProperties } from "react";

import { scaleOf } from "../../candidate/geometry";
import { Panel, Shape } from "../../parts";
import type { ProofPanelProps } from "../registry";
import { auditOf, times } from "./speedups";
import type { Speedup } from "./speedups";
import "./programs.css";

export function ProgramAudit({ proof }: ProofPanelProps) {
  const audit = auditOf(proof.audit?.findings);
  if (audit === null || audit.speedups.length === 0) return null;
  const largest = audit.speedups.at(-1);
  return (
    <Panel name="program-audit" title="How much faster, on inputs that the search never saw">
      <div className="stack">
        {largest !== undefined && (
          <p className="program-headline">
            <strong data-value="speedup" data-raw={largest.speedup}>
              {times(largest.speedup)}
            </strong>{" "}
            as fast on inputs of size {largest.size.toLocaleString("en")}{" "}
            <span className="muted">
              ({times(largest.lower)} to {times(largest.upper)})
            </span>
          </p>
        )}
        <Speedups speedups={audit.speedups} />
        <p className={`status program-agrees status-${audit.agrees === true ? "good" : "bad"}`} data-value="audit-agrees" data-raw={String(audit.agrees)}>
          <Shape shape={audit.agrees === true ? "check" : "cross"} />
          {audit.agrees === true ? "The answers agreed" : "The answers differed"} in {audit.cases ?? "an unknown number of"} further cases.
        </p>
      </div>
    </Panel>
  );
}

const at = (share: number): CSSProperties => ({ left: `${share * 100}%` });

function Speedups({ speedups }: { speedups: readonly Speedup[] }) {
  const values = speedups.flatMap(({ speedup, lower, upper }) => [speedup, lower ?? speedup, upper ?? speedup]);
  const positive = values.every((value) => value > 0);
  const scale = scaleOf([1, ...values], positive);
  return (
    <table className="program-speedups">
      <caption className="hidden">Speed-up by size of inputs, with its interval</caption>
      <thead>
        <tr>
          <th scope="col">Size</th>
          <th scope="col">Speed-up</th>
          <th scope="col" aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {speedups.map(({ size, speedup, lower, upper }) => (
          <tr key={size}>
            <th scope="row" className="numeric">
              {size.toLocaleString("en")}
            </th>
            <td className="numeric">
              <strong data-value={`speedup-${size}`} data-raw={speedup}>
                {times(speedup)}
              </strong>
              <span className="muted small program-range">
                {times(lower)} to {times(upper)}
              </span>
            </td>
            <td className="program-drawing" aria-hidden="true">
              <span className="program-one" style={at(scale.at(1))} />
              <span className="program-bar" style={{ ...at(scale.at(lower ?? speedup)), width: `${(scale.at(upper ?? speedup) - scale.at(lower ?? speedup)) * 100}%` }} />
              <span className="program-mark" style={at(scale.at(speedup))} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot aria-hidden="true">
        <tr>
          <td />
          <td />
          <td className="program-ticks">
            {scale.ticks.map((tick) => (
              <span key={tick.value} style={at(tick.at)}>
                {times(tick.value)}
              </span>
            ))}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
