/** The legend of shapes, colours and lines, with only those that occur. */

import { type ReactElement, useMemo } from "react";
import { figure, kindOf, LOOKS, words } from "./kinds";
import { type LegendLine, legendOf } from "./operators";
import { domainOf } from "./scale";
import { Shape } from "./Shape";
import type { LineageNode } from "./types";

interface LegendProps {
  readonly nodes: readonly LineageNode[];
  /** Whether edges have a style per operator: in the view with cards, but not in the overview. */
  readonly withOperators: boolean;
}

export function Legend({ nodes, withOperators }: LegendProps): ReactElement {
  const present = useMemo(() => new Set(nodes.map(kindOf)), [nodes]);
  const domain = useMemo(() => domainOf(nodes), [nodes]);
  const operators = useMemo(() => legendOf(nodes), [nodes]);
  return (
    <div className="lineage-legend" data-neutral={!withOperators} role="group" aria-label="Legend">
      <ul>
        {LOOKS.filter((look) => present.has(look.kind)).map((look) => (
          <li key={look.kind}>
            <Shape look={look} />
            {look.title}
          </li>
        ))}
      </ul>
      {domain !== null && (
        <p className="lineage-scale">
          fitness <span data-value="fitness-low">{figure(domain.low)}</span>
          <span className="lineage-ramp" aria-hidden="true" />
          <span data-value="fitness-high">{figure(domain.high)}</span>
        </p>
      )}
      {withOperators && operators.length > 0 && (
        <ul>
          {operators.map((line) => (
            <li key={line.style} data-style={line.style}>
              <svg className={`lineage-line lineage-op-${line.style}`} viewBox="0 0 30 8" aria-hidden="true">
                <path d="M0 4H30" />
              </svg>
              <Names {...line} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The name of an operator; for operators that share a style, their number with an expandable list. */
function Names({ operators }: LegendLine): ReactElement {
  const names = operators.map(words);
  if (names.length === 1) return <span>{names[0]}</span>;
  return (
    <details>
      <summary>{names.length} others</summary>
      {names.join(", ")}
    </details>
  );
}
