/** One edge of descent in the style of its operator, labelled with the operator while highlighted. */

import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo, type ReactElement } from "react";
import { words } from "../kinds";
import type { DescentEdge } from "./elements";
import { CARD } from "./plan";
import { useNearness } from "./viewing";

/** Zoomed out, a card shows only its shape; edges are extended by this much to reach it. */
const INTO = CARD.width / 2 - 30;

function Descent(props: EdgeProps<DescentEdge>): ReactElement {
  const isFar = useNearness() === "far";
  const into = isFar ? INTO : 0;
  const [path, x, y] = getBezierPath({ ...props, sourceX: props.sourceX - into, targetX: props.targetX + into });
  const { data } = props;
  const classes = ["lineage-descent", `lineage-op-${data?.style ?? 0}`];
  if (data?.isDimmed) classes.push("lineage-dimmed");
  if (data?.isLit) classes.push("lineage-lit");
  return (
    <>
      <BaseEdge path={path} className={classes.join(" ")} interactionWidth={0} />
      {data?.isLit && !isFar && data.operator !== null && (
        <EdgeLabelRenderer>
          <span className="lineage-operator" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
            {words(data.operator)}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

export default memo(Descent);
