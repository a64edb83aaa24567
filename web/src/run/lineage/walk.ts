/** Keyboard navigation through a lineage: to parents, children and neighbours. */

import type { Scene } from "./scene";

export type Direction = "parent" | "child" | "above" | "below";

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "parent",
  ArrowRight: "child",
  ArrowUp: "above",
  ArrowDown: "below",
};

export function directionOf(key: string): Direction | undefined {
  return DIRECTIONS[key];
}

/** The next node in a direction; the same node if there is none. */
export function stepFrom(scene: Scene, index: number, direction: Direction): number {
  switch (direction) {
    case "parent":
      return nearest(scene, index, scene.parentsOf(index));
    case "child":
      return nearest(scene, index, scene.childrenOf(index));
    case "above":
      return beside(scene, index, -1);
    case "below":
      return beside(scene, index, 1);
  }
}

/** The start of keyboard navigation: the winner, else the champion, else the fittest, else the first node. */
export function startOf(scene: Scene): number | undefined {
  if (scene.nodes.length === 0) return undefined;
  const winner = scene.nodes.findIndex((node) => node.final);
  if (winner >= 0) return winner;
  const champion = scene.nodes.findIndex((node) => node.champion);
  if (champion >= 0) return champion;
  return fittest(scene);
}

function fittest(scene: Scene): number {
  let best = 0;
  scene.nodes.forEach((node, index) => {
    if ((node.fitness ?? Number.NEGATIVE_INFINITY) > (scene.nodes[best]?.fitness ?? Number.NEGATIVE_INFINITY)) best = index;
  });
  return best;
}

function nearest(scene: Scene, index: number, among: readonly number[]): number {
  const lane = scene.lanes[index] ?? 0;
  let best = index;
  let least = Number.POSITIVE_INFINITY;
  for (const other of among) {
    const distance = Math.abs((scene.lanes[other] ?? 0) - lane);
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

function beside(scene: Scene, index: number, step: number): number {
  const column = scene.inColumn(scene.columns[index] ?? 0);
  return column[column.indexOf(index) + step] ?? index;
}
