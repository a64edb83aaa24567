/** Up to a few hundred genomes as cards: legible, reachable by keyboard and distinguishable without colour. */

import {
  type EdgeTypes,
  MiniMap,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type KeyboardEvent, type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { GraphProps } from "../graph";
import { lookOf, unsaid } from "../kinds";
import { domainOf, share } from "../scale";
import type { LineageNode } from "../types";
import { directionOf, startOf, stepFrom } from "../walk";
import Card from "./Card";
import Descent from "./Descent";
import { type CardNode, cardsOf, descentsOf, type Emphasis } from "./elements";
import { CARD, type Plan, planOf } from "./plan";
import { glide, useFitting, useNearness, useSeen, useZoomInStyle, ZOOM } from "./viewing";

const NODE_TYPES: NodeTypes = { card: Card };
const EDGE_TYPES: EdgeTypes = { descent: Descent };
const ATTRIBUTION = { hideAttribution: false };

export default function Flow(props: GraphProps): ReactElement {
  return (
    <ReactFlowProvider>
      <Cards {...props} />
    </ReactFlowProvider>
  );
}

function Cards(props: GraphProps): ReactElement {
  const { scene, selected, columnName, onSelect, onReady } = props;
  const plan = useMemo(() => planOf(scene), [scene]);
  const walking = useWalking(props, plan);
  const [hovered, setHovered] = useState<string | null>(null);
  const emphasis = useMemo(
    () => ({ selected, hovered, active: walking.active, focused: walking.focused }),
    [selected, hovered, walking.active, walking.focused],
  );
  const { nodes, edges } = useElements(props, plan, emphasis);
  const fitting = useFitting(plan, props.follow);
  const seen = useSeen(scene, plan, props.onVisible);
  const nearness = useNearness();
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  useZoomInStyle(element);
  return (
    <div
      className="lineage-flow"
      ref={setElement}
      data-nearness={nearness}
      role="application"
      tabIndex={0}
      aria-label={`Lineage of ${scene.nodes.length} genomes. Arrow keys move between genomes, Enter selects, plus and minus zoom, 0 fits all.`}
      onKeyDown={(event) => walking.onKey(event, fitting.fit)}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodeClick={(_, node) => onSelect(node.id)}
        onNodeMouseEnter={(_, node) => setHovered(node.id)}
        onNodeMouseLeave={() => setHovered(null)}
        onMoveStart={(event) => event !== null && fitting.hold()}
        onInit={() => onReady("cards")}
        onlyRenderVisibleElements
        minZoom={ZOOM.least}
        maxZoom={ZOOM.most}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        proOptions={ATTRIBUTION}
      >
        <Headings scene={scene} plan={plan} columnName={columnName} />
        {seen < scene.nodes.length && (
          <MiniMap<CardNode> pannable zoomable ariaLabel="Map of the whole lineage" nodeClassName={mapped} nodeBorderRadius={20} />
        )}
        <Buttons onFit={fitting.fit} onHold={fitting.hold} />
      </ReactFlow>
    </div>
  );
}

function mapped(card: CardNode): string {
  return `lineage-mapped-${lookOf(card.data.node).kind}`;
}

function useElements({ scene, columnName }: GraphProps, plan: Plan, emphasis: Emphasis) {
  const told = useMemo(() => {
    const domain = domainOf(scene.nodes);
    const of = (node: LineageNode) => (node.fitness === null || domain === null ? null : share(node.fitness, domain));
    return { share: of, unsaid: (node: LineageNode) => unsaid(node, columnName) };
  }, [scene, columnName]);
  const nodes = useMemo(() => cardsOf(scene, plan, emphasis, told), [scene, plan, emphasis, told]);
  const edges = useMemo(() => descentsOf(scene, emphasis), [scene, emphasis]);
  return { nodes, edges };
}

/** Keyboard navigation: Tab reaches one card, and the arrow keys move on from it. */
function useWalking({ scene, selected }: GraphProps, plan: Plan) {
  const [focused, setFocused] = useState<string | null>(null);
  const { getZoom, getViewport, setCenter, zoomIn, zoomOut } = useReactFlow();
  const box = useRef({ width: 0, height: 0 });
  box.current = { width: useStore((state) => state.width), height: useStore((state) => state.height) };
  const known = [focused, selected].find((id) => id !== null && scene.indexOf(id) !== undefined);
  const active = known ?? scene.nodes[startOf(scene) ?? -1]?.id ?? null;
  const reveal = useCallback(
    (index: number) => {
      const { x, y, zoom } = getViewport();
      const spot = plan.spotOf(index);
      const [left, top] = [spot.x * zoom + x, spot.y * zoom + y];
      const { width, height } = box.current;
      const inside = left > 0 && top > 0 && left + CARD.width * zoom < width && top + CARD.height * zoom < height;
      if (!inside) void setCenter(spot.x + CARD.width / 2, spot.y + CARD.height / 2, { zoom: getZoom(), duration: glide() });
    },
    [scene, plan, getViewport, setCenter, getZoom],
  );
  const onKey = (event: KeyboardEvent, fit: () => void) => {
    const direction = directionOf(event.key);
    const from = active === null ? undefined : scene.indexOf(active);
    if (event.ctrlKey || event.metaKey || event.altKey || from === undefined) return;
    if (direction !== undefined) {
      const to = focused === null ? from : stepFrom(scene, from, direction);
      reveal(to);
      setFocused(scene.nodes[to]?.id ?? null);
    } else if (event.key === "+" || event.key === "=") void zoomIn({ duration: glide() });
    else if (event.key === "-") void zoomOut({ duration: glide() });
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  };
  useEffect(() => setFocused((before) => (before !== null && scene.indexOf(before) === undefined ? null : before)), [scene]);
  return { active, focused, onKey };
}

interface HeadingsProps {
  readonly plan: Plan;
  readonly scene: GraphProps["scene"];
  readonly columnName: string;
}

/** Approximate width of a heading's character in pixels, including spacing. */
const LETTER = 10;

/** The names of the columns, always at the top of the view. */
function Headings({ scene, plan, columnName }: HeadingsProps): ReactElement {
  const columns = useMemo(() => [...new Set(scene.columns)].sort((one, other) => one - other), [scene]);
  const [x, , zoom] = useStore((state) => state.transform);
  const places = columns.map((column) => ({ column, left: plan.middleOf(column) * zoom + x }));
  const apart = Math.min(1e6, ...places.slice(1).map(({ left }, before) => left - (places[before]?.left ?? 0)));
  const every = Math.max(1, Math.ceil(34 / apart));
  const name = (column: number) => `${columnName} ${column}`;
  const isRoomy = apart > name(columns.at(-1) ?? 0).length * LETTER;
  return (
    <div className="lineage-headings">
      {places.map(({ column, left }, place) => (
        <span key={column} hidden={place % every !== 0} style={{ transform: `translate(-50%, 0) translate(${left}px, 0)` }}>
          {isRoomy ? name(column) : column}
        </span>
      ))}
    </div>
  );
}

interface ButtonsProps {
  readonly onFit: () => void;
  readonly onHold: () => void;
}

function Buttons({ onFit, onHold }: ButtonsProps): ReactElement {
  const { zoomIn, zoomOut } = useReactFlow();
  const zoom = (change: typeof zoomIn) => {
    onHold();
    void change({ duration: glide() });
  };
  return (
    <div className="lineage-buttons">
      <button type="button" onClick={() => zoom(zoomIn)} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={() => zoom(zoomOut)} aria-label="Zoom out">
        −
      </button>
      <button type="button" onClick={onFit}>
        Fit
      </button>
    </div>
  );
}
