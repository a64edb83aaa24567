/** The shape of a status, the same as in the overview. */

import type { ReactElement } from "react";
import type { Look } from "./kinds";

interface ShapeProps {
  readonly look: Look;
  readonly className?: string;
}

export function Shape({ look, className = "" }: ShapeProps): ReactElement {
  return (
    <svg className={`lineage-shape ${className}`} data-kind={look.kind} viewBox="-1.15 -1.15 2.3 2.3" aria-hidden="true">
      <path d={look.path} className={look.hollow ? "lineage-hollow" : "lineage-solid"} />
    </svg>
  );
}
