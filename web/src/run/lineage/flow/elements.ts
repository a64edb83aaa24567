/** A scene as the nodes and edges of React Flow. */

import { type Edge, type Node, Position } from "@xyflow/react";
import { operatorsOf, SHARED } from "../operators";
import { kinOf, type Scene } from "../scene";
import type { LineageNode } from "../types";
import { CARD, type Plan } from "./plan";

export interface CardData extends Record<string, unknown> {
  readonly node: LineageNode;
  readonly isSelected: boolean;
  readonly isDimmed: boolean;
  /** The fitness as a share of its range, from 0 to 1; null if there is none. */
  readonly share: number | null;
  /** Whether Tab reaches this card, and whether it has the focus. */
  readonly isActive: boolean;
  readonly isFocused: boolean;
  /** Details that do not fit on the card, for screen readers. */
  readonly unsaid: string;
}

export interface DescentData extends Record<string, unknown> {
  readonly operator: string | null;
  readonly style: number;
  readonly isLit: boolean;
  readonly isDimmed: boolean;
}

export type CardNode = Node<CardData, "card">;
export type DescentEdge = Edge<DescentData, "descent">;

export interface Emphasis {
  readonly selected: string | null;
  readonly hovered: string | null;
  readonly active: string | null;
  readonly focused: string | null;
}

interface Words {
  share(node: LineageNode): number | null;
  unsaid(node: LineageNode): string;
}

export function cardsOf(scene: Scene, plan: Plan, emphasis: Emphasis, { share, unsaid }: Words): CardNode[] {
  const chosen = emphasis.selected === null ? undefined : scene.indexOf(emphasis.selected);
  const kin = chosen === undefined ? null : kinOf(scene, chosen);
  return scene.nodes.map((node, index) => ({
    id: node.id,
    type: "card",
    position: plan.spotOf(index),
    ...CARD,
    handles: HANDLES,
    data: {
      node,
      isSelected: node.id === emphasis.selected,
      isDimmed: kin !== null && !kin.has(index),
      share: share(node),
      isActive: node.id === emphasis.active,
      isFocused: node.id === emphasis.focused,
      unsaid: unsaid(node),
    },
  }));
}

const MIDDLE = { y: CARD.height / 2, width: 1, height: 1 };
const HANDLES: NonNullable<Node["handles"]> = [
  { type: "target", position: Position.Left, x: 0, ...MIDDLE },
  { type: "source", position: Position.Right, x: CARD.width, ...MIDDLE },
];

export function descentsOf(scene: Scene, emphasis: Emphasis): DescentEdge[] {
  const styles = operatorsOf(scene.nodes);
  const chosen = emphasis.selected === null ? undefined : scene.indexOf(emphasis.selected);
  const kin = chosen === undefined ? null : kinOf(scene, chosen);
  const edges: DescentEdge[] = [];
  for (let at = 0; at < scene.edges.length; at += 2) {
    const [from, to] = [scene.edges[at] ?? 0, scene.edges[at + 1] ?? 0];
    const parent = scene.nodes[from];
    const child = scene.nodes[to];
    if (parent === undefined || child === undefined) continue;
    const ends = [parent.id, child.id];
    const isKin = kin?.has(from) === true && kin.has(to);
    edges.push({
      id: `${parent.id}>${child.id}`,
      type: "descent",
      source: parent.id,
      target: child.id,
      zIndex: isKin ? 1 : 0,
      data: {
        operator: child.operator,
        style: child.operator === null ? SHARED : (styles.get(child.operator) ?? SHARED),
        isLit: ends.includes(emphasis.selected ?? "") || ends.includes(emphasis.hovered ?? ""),
        isDimmed: kin !== null && !isKin,
      },
    });
  }
  return edges;
}
