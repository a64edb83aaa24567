/** One genome as a card: shape, name, status and fitness. */

import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, type ReactElement, useEffect, useRef } from "react";
import { brief, lookOf, words } from "../kinds";
import { Shape } from "../Shape";
import type { CardNode } from "./elements";

function Card({ data }: NodeProps<CardNode>): ReactElement {
  const { node } = data;
  const look = lookOf(node);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (data.isFocused) button.current?.focus({ preventScroll: true });
  }, [data.isFocused]);
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <button
        ref={button}
        type="button"
        className="lineage-card"
        data-kind={look.kind}
        data-node={node.id}
        data-dimmed={data.isDimmed}
        data-working={node.working}
        aria-pressed={data.isSelected}
        tabIndex={data.isActive ? 0 : -1}
      >
        <Shape look={look} />
        <span className="lineage-name">{node.label}</span>
        <span className="lineage-figure">{node.fitness === null ? "" : brief(node.fitness)}</span>
        <span className="lineage-status">{node.working ? `${words(node.status)}, busy` : words(node.status)}</span>
        {(node.final || node.champion) && <span className="lineage-badge">{node.final ? "winner" : "champion"}</span>}
        <span className="lineage-hidden">{data.unsaid}</span>
        <Bar share={data.share} />
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

function Bar({ share }: { readonly share: number | null }): ReactElement | null {
  if (share === null) return null;
  return (
    <span className="lineage-bar">
      <span style={{ width: `${Math.max(2, share * 100)}%` }} />
    </span>
  );
}

export default memo(Card);
