import { describe, expect, it } from "vitest";
import { genome } from "./examples";
import { brief, figure, kindOf, LOOKS, spoken } from "./kinds";
import { legendOf, operatorsOf, SHARED } from "./operators";
import { domainOf, mixed, share } from "./scale";

describe("looks", () => {
  it("has a distinct shape and title for each kind", () => {
    expect(new Set(LOOKS.map((look) => `${look.path}${look.hollow}`)).size).toBe(LOOKS.length);
    expect(new Set(LOOKS.map((look) => look.title)).size).toBe(LOOKS.length);
  });

  it("ranks winner above champion, and both above the status", () => {
    expect(kindOf(genome(1, 0, [], { final: true, champion: true, status: "culled" }))).toBe("winner");
    expect(kindOf(genome(1, 0, [], { champion: true, status: "culled" }))).toBe("champion");
    expect(kindOf(genome(1, 0, [], { status: "culled" }))).toBe("culled");
    expect(kindOf(genome(1, 0, [], { status: "spent", fitness: null }))).toBe("begun");
    expect(kindOf(genome(1, 0, [], { status: "something new" }))).toBe("begun");
  });

  it("describes a node completely", () => {
    const said = spoken(genome(9, 2, ["g1", "g3"], { champion: true, working: true, status: "eligible_parent" }), "generation");
    expect(said).toBe("#9, generation 2, champion, eligible parent, fitness 0.09, by crossover, 2 parents, operation in flight");
  });

  it("formats figures of any size in little space", () => {
    expect([0, 0.12345, 12.345, 123.456, 0.000012].map(figure)).toEqual(["0", "0.1235", "12.35", "123.5", "1.20e-5"]);
    expect([0.30194, 1.2617, 12345].map(brief)).toEqual(["0.302", "1.26", "12,345"]);
  });
});

describe("the scale of fitness", () => {
  it("extends from the 5th percentile to the best, and is null without fitness", () => {
    const nodes = Array.from({ length: 101 }, (_, birth) => genome(birth, 0, [], { fitness: birth === 0 ? -1e9 : birth }));
    expect(domainOf(nodes)).toEqual({ low: 5, high: 100 });
    expect(domainOf([genome(1, 0, [], { fitness: null })])).toBeNull();
  });

  it("stays within its ends", () => {
    expect([-3, 5, 52.5, 100, 900].map((fitness) => share(fitness, { low: 5, high: 100 }))).toEqual([0, 0, 0.5, 1, 1]);
    expect(share(1, { low: 1, high: 1 })).toBe(1);
    expect(mixed([[0, 0, 0], [100, 200, 50]], 0.5)).toEqual([50, 100, 25]);
    expect(mixed([[0, 0, 0], [100, 200, 50]], 1)).toEqual([100, 200, 50]);
  });
});

describe("operators", () => {
  it("gives the most common ones their own styles", () => {
    const nodes = Array.from({ length: 20 }, (_, birth) => genome(birth, 1, ["p"], { operator: `op${birth % 10}` }));
    const styles = operatorsOf([...nodes, genome(99, 1, ["p"], { operator: "op7" })]);
    expect(styles.get("op7")).toBe(0);
    expect(Math.max(...styles.values())).toBe(SHARED);
  });

  it("has one line of the legend per style", () => {
    const nodes = Array.from({ length: 10 }, (_, birth) => genome(birth, 1, ["p"], { operator: `op${birth}` }));
    const lines = legendOf(nodes);
    expect(lines.map(({ style }) => style)).toEqual([0, 1, 2, 3, 4, 5, 6, SHARED]);
    expect(lines.map(({ operators }) => operators.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 3]);
  });
});
