import { describe, expect, it } from "vitest";
import { genome, lineage } from "./examples";
import { Layout } from "./layout";
import type { LineageNode } from "./types";

function placed(nodes: readonly LineageNode[], layout = new Layout()): Map<string, string> {
  layout.place(nodes);
  return new Map(nodes.map(({ id }) => [id, JSON.stringify(layout.at(id))]));
}

describe("Layout", () => {
  it("gives every genome its own place", () => {
    const places = placed(lineage(3_000, 12));
    expect(new Set(places.values()).size).toBe(3_000);
  });

  it("keeps the given columns", () => {
    const nodes = lineage(300, 10);
    const layout = new Layout();
    layout.place(nodes);
    for (const node of nodes) expect(layout.at(node.id)?.column).toBe(node.column);
  });

  it("gives the first genomes the same places however many follow", () => {
    const nodes = lineage(2_000, 20);
    const all = placed(nodes);
    for (const count of [1, 57, 400, 1_999]) {
      for (const [id, place] of placed(nodes.slice(0, count))) expect(all.get(id)).toBe(place);
    }
  });

  it("gives the same places for all genomes at once and one by one", () => {
    const nodes = lineage(500, 8);
    const layout = new Layout();
    for (let count = 1; count <= nodes.length; count += 1) layout.place(nodes.slice(0, count));
    expect(placed(nodes, layout)).toEqual(placed(nodes));
  });

  it("moves no genome while a replay goes back and forth", () => {
    const nodes = lineage(600, 8);
    const layout = new Layout();
    const before = placed(nodes, layout);
    const bounds = layout.bounds;
    placed(nodes.slice(0, 100), layout);
    expect(layout.bounds).toEqual(bounds);
    expect(placed(nodes, layout)).toEqual(before);
  });

  it("fills files of a limited height one after the other, with stable places", () => {
    const nodes = lineage(400, 4);
    const layout = new Layout(12);
    const all = placed(nodes, layout);
    expect(new Set(all.values()).size).toBe(400);
    for (const count of [1, 57, 399]) {
      for (const [id, place] of placed(nodes.slice(0, count), new Layout(12))) expect(all.get(id)).toBe(place);
    }
    expect(layout.bounds).toEqual({ left: 0, right: 3, top: -6, bottom: 5 });
    expect(Math.max(...nodes.map(({ id }) => layout.at(id)?.file ?? 0))).toBe(Math.ceil(100 / 12) - 1);
  });

  it("accepts nodes in any order", () => {
    const nodes = lineage(400, 8);
    expect(placed(nodes.toReversed()).get("g211")).toEqual(placed(nodes).get("g211"));
  });

  it("puts an only child next to its parent, and a child of two parents between them", () => {
    const nodes = [genome(0, 0), genome(1, 0), genome(2, 0), genome(3, 0), genome(4, 0), genome(5, 1, ["g3"]), genome(6, 1, ["g3", "g4"])];
    const layout = new Layout();
    layout.place(nodes);
    const lane = (id: string) => layout.at(id)?.lane ?? Number.NaN;
    expect(lane("g5")).toBe(lane("g3"));
    expect(lane("g6")).toBe(Math.round((lane("g3") + lane("g4")) / 2));
  });

  it("keeps children nearer to their parents than chance would", () => {
    const nodes = lineage(1_000, 10);
    const layout = new Layout();
    layout.place(nodes);
    const lane = (id: string) => layout.at(id)?.lane ?? 0;
    const apart = nodes.flatMap((node) => node.parents.map((parent) => Math.abs(lane(parent) - lane(node.id))));
    const mean = apart.reduce((sum, each) => sum + each, 0) / apart.length;
    expect(mean).toBeLessThan(20); // with a hundred lanes per column, random places would be a third of that apart
  });

  it("ignores unknown parents, and starts over when columns change their meaning", () => {
    const layout = new Layout();
    layout.place([genome(4, 2, ["elsewhere"])]);
    expect(layout.at("g4")).toEqual({ column: 2, file: 0, lane: 0 });
    layout.place([genome(4, 3, ["elsewhere"])]);
    expect(layout.at("g4")).toEqual({ column: 3, file: 0, lane: 0 });
    expect(layout.bounds).toEqual({ left: 3, right: 3, top: 0, bottom: 0 });
  });
});
