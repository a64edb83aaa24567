import { describe, expect, it } from "vitest";
import { genome, lineage } from "./examples";
import { Layout } from "./layout";
import { ancestorsOf, descendantsOf, familyWithin, kinOf, lineOf, sceneOf } from "./scene";
import { startOf, stepFrom } from "./walk";

const FAMILY = [
  genome(0, 0, [], { fitness: 1 }),
  genome(1, 0, [], { fitness: 5 }),
  genome(2, 1, ["g0", "g1"], { fitness: 2 }),
  genome(3, 1, ["g1"], { fitness: null }),
  genome(4, 2, ["g2"], { fitness: 7 }),
];
const SCENE = sceneOf(FAMILY);
const names = (indices: Iterable<number>) => [...indices].map((index) => SCENE.nodes[index]?.id).sort();

describe("a scene", () => {
  it("has one edge per known parent", () => {
    expect([...SCENE.edges]).toEqual([0, 2, 1, 2, 1, 3, 2, 4]);
    const alone = sceneOf([genome(7, 3, ["g6", "g6"]), genome(8, 4, ["g7", "g7"])]);
    expect([...alone.edges]).toEqual([0, 1]);
  });

  it("has an extent of the current nodes only, whatever was placed before", () => {
    const layout = new Layout();
    const all = lineage(400, 8);
    expect(sceneOf(all, layout).extent).toEqual(layout.bounds);
    const few = sceneOf(all.slice(0, 10), layout);
    expect(few.extent).toEqual({ left: 0, right: 0, top: -5, bottom: 4 });
    expect(few.bounds).toEqual(layout.bounds);
  });

  it("returns ancestors, descendants and kin", () => {
    expect(names(ancestorsOf(SCENE, 4))).toEqual(["g0", "g1", "g2"]);
    expect(names(descendantsOf(SCENE, 1))).toEqual(["g2", "g3", "g4"]);
    expect(names(kinOf(SCENE, 2))).toEqual(["g0", "g1", "g2", "g4"]);
  });

  it("follows the fitter parent back to a founder", () => {
    const line = lineOf(SCENE, 4);
    expect(line.map(({ index }) => SCENE.nodes[index]?.id)).toEqual(["g4", "g2", "g1"]);
    expect(line[1]?.others).toEqual([0]);
  });

  it("prefers the nearest relatives if the number is limited", () => {
    expect(familyWithin(SCENE, 4, 2).map(({ id }) => id)).toEqual(["g2", "g4"]);
    const many = sceneOf(lineage(2_000, 20));
    expect(familyWithin(many, 1_000, 100).length).toBeLessThanOrEqual(100);
  });
});

describe("keyboard navigation", () => {
  it("starts at the winner, else the champion, else the fittest", () => {
    expect(startOf(SCENE)).toBe(4);
    expect(startOf(sceneOf(FAMILY.map((node) => ({ ...node, champion: node.id === "g2" }))))).toBe(2);
    expect(startOf(sceneOf([]))).toBeUndefined();
  });

  it("goes to parents and children, and stays if there are none", () => {
    expect(stepFrom(SCENE, 4, "parent")).toBe(2);
    expect(stepFrom(SCENE, 2, "child")).toBe(4);
    expect(stepFrom(SCENE, 4, "child")).toBe(4);
  });

  it("reaches all nodes of a column by going down", () => {
    const scene = sceneOf(lineage(60, 3));
    const column = scene.inColumn(1);
    const seen = [column[0] ?? -1];
    for (let step = 1; step < column.length; step += 1) seen.push(stepFrom(scene, seen.at(-1) ?? -1, "below"));
    expect(seen).toEqual(column);
    expect(stepFrom(scene, seen.at(-1) ?? -1, "below")).toBe(seen.at(-1));
  });
});
