import { describe, expect, it } from "vitest";
import { lineage } from "../examples";
import { sceneOf } from "../scene";
import { fitted, moved, showing, zoomed } from "./camera";
import { inView, nodeAt, standsAt } from "./stand";

const SCENE = sceneOf(lineage(5_000, 25));
const VIEW = { width: 1_200, height: 600 };
const WHOLE = fitted(SCENE.bounds, VIEW);

describe("the overview's camera", () => {
  it("fits all nodes into the view", () => {
    expect(inView(SCENE, WHOLE, VIEW)).toHaveLength(5_000);
    for (let index = 0; index < 5_000; index += 1) {
      const { x, y } = standsAt(SCENE, index, WHOLE);
      expect(x > 0 && y > 0 && x < VIEW.width && y < VIEW.height).toBe(true);
    }
  });

  it("zooms around the pointer", () => {
    const near = zoomed(WHOLE, 3, 400, 300, WHOLE);
    expect((400 - near.x) / near.scaleX).toBeCloseTo((400 - WHOLE.x) / WHOLE.scaleX);
    expect((300 - near.y) / near.scaleY).toBeCloseTo((300 - WHOLE.y) / WHOLE.scaleY);
    expect(inView(SCENE, near, VIEW).length).toBeLessThan(5_000);
  });

  it("does not zoom out of sight", () => {
    const far = zoomed(WHOLE, 1e-6, 0, 0, WHOLE);
    expect(far.scaleX).toBeCloseTo(WHOLE.scaleX / 2);
  });

  it("moves as little as possible to show a node", () => {
    const away = moved(WHOLE, 5_000, 0);
    const back = showing(away, VIEW, SCENE.columns[7] ?? 0, SCENE.lanes[7] ?? 0);
    expect(inView(SCENE, away, VIEW)).toHaveLength(0);
    expect(inView(SCENE, back, VIEW)).toContain(7);
    expect(showing(back, VIEW, SCENE.columns[7] ?? 0, SCENE.lanes[7] ?? 0)).toEqual(back);
  });
});

describe("the pointer", () => {
  it("finds each of thousands of nodes where it is drawn", () => {
    const near = zoomed(WHOLE, 2, 600, 300, WHOLE);
    for (let index = 0; index < 5_000; index += 97) {
      const at = standsAt(SCENE, index, near);
      expect(nodeAt(SCENE, near, at)).toBe(index);
    }
  });

  it("finds no node in an empty area", () => {
    expect(nodeAt(SCENE, WHOLE, { x: -500, y: -500 })).toBeUndefined();
  });
});
