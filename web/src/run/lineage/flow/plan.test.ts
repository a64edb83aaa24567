import { describe, expect, it } from "vitest";
import { genome, lineage } from "../examples";
import { Layout } from "../layout";
import { type Scene, sceneOf } from "../scene";
import type { LineageNode } from "../types";
import { stepFrom } from "../walk";
import { CARD, planOf, rowsFor } from "./plan";

const RATIO = 2.2;

function wrapped(nodes: readonly LineageNode[]): Scene {
  return sceneOf(nodes, new Layout(rowsFor(nodes, RATIO)));
}

function aspectOf(nodes: readonly LineageNode[]): number {
  const { width, height } = planOf(wrapped(nodes)).extent;
  return width / height;
}

/** A founder with this many children. */
function brood(children: number): LineageNode[] {
  return Array.from({ length: children + 1 }, (_, birth) => (birth === 0 ? genome(0, 0) : genome(birth, 1, ["g0"])));
}

describe("the plan of the cards", () => {
  it.each([60, 67, 120, 250, 477, 500])("has the shape of a panel for %i genomes in few columns", (count) => {
    for (const nodes of [lineage(count, 4), lineage(count, 2), lineage(count, 1), brood(count - 1)]) {
      expect(aspectOf(nodes)).toBeGreaterThan(1);
      expect(aspectOf(nodes)).toBeLessThan(4);
    }
  });

  it("leaves few cards in one file", () => {
    expect([...wrapped(brood(8)).files]).toEqual(Array(9).fill(0));
  });

  it("never overlaps cards, and keeps columns apart and in order", () => {
    const scene = wrapped(lineage(477, 4));
    const { spotOf, middleOf } = planOf(scene);
    const spots = scene.nodes.map((_, index) => spotOf(index));
    spots.forEach((one, index) => {
      const covers = (other: typeof one) => Math.abs(one.x - other.x) < CARD.width && Math.abs(one.y - other.y) < CARD.height;
      expect(spots.slice(index + 1).some(covers)).toBe(false);
    });
    for (const column of [0, 1, 2]) {
      const right = Math.max(...scene.inColumn(column).map((index) => (spots[index]?.x ?? 0) + CARD.width));
      const left = Math.min(...scene.inColumn(column + 1).map((index) => spots[index]?.x ?? 0));
      expect(right).toBeLessThan(left);
      expect(middleOf(column)).toBeLessThan(right);
      expect(middleOf(column + 1)).toBeGreaterThan(left);
    }
  });

  it("makes columns higher in few steps, and never lower, as more genomes are born", () => {
    const nodes = lineage(500, 5);
    const rows = nodes.map((_, born) => rowsFor(nodes.slice(0, born + 1), RATIO));
    expect(rows).toEqual(rows.toSorted((one, other) => one - other));
    expect(new Set(rows).size).toBeLessThan(8);
  });

  it("is navigated downwards along one file, then along the next", () => {
    const scene = wrapped(brood(60));
    const column = scene.inColumn(1);
    const walked = [column[0] ?? -1];
    while (walked.length < column.length) walked.push(stepFrom(scene, walked.at(-1) ?? -1, "below"));
    expect(walked).toEqual(column);
    const files = walked.map((index) => scene.files[index] ?? 0);
    expect(files).toEqual(files.toSorted((one, other) => one - other));
  });
});
