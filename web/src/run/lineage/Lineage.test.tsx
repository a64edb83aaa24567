import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { genome, lineage } from "./examples";
import { Lineage } from "./Lineage";
import type { LineageNode } from "./types";

function Shown({ nodes, first = null }: { readonly nodes: readonly LineageNode[]; readonly first?: string | null }) {
  const [selected, setSelected] = useState<string | null>(first);
  return (
    <>
      <output>{selected}</output>
      <Lineage nodes={nodes} selected={selected} onSelect={setSelected} />
    </>
  );
}

function value(name: string): string | null | undefined {
  return document.querySelector(`[data-panel="lineage"] [data-value="${name}"]`)?.textContent;
}

describe("Lineage", () => {
  it("says so while there are no genomes", () => {
    render(<Shown nodes={[]} />);
    expect(screen.getByText(/No genomes yet/)).toBeTruthy();
    expect(value("nodes")).toBe("0");
  });

  it("lists all genomes in a paged table", async () => {
    const user = userEvent.setup();
    render(<Shown nodes={lineage(234, 6)} />);
    await user.click(screen.getByRole("button", { name: "as a table" }));
    expect(value("nodes")).toBe("234");
    expect(value("visible")).toBe("50");
    expect(document.querySelector('[data-panel="lineage"]')?.getAttribute("data-ready")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(screen.getByText("page 2 of 5")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Fitness" }));
    await user.click(screen.getByRole("button", { name: "Previous" }));
    expect(screen.getAllByRole("rowheader")[0]?.textContent).toBe("#233");
  });

  it("shows the line of the selected genome, with links along it", async () => {
    const user = userEvent.setup();
    const nodes = [genome(0, 0), genome(1, 0), genome(2, 1, ["g0", "g1"]), genome(3, 2, ["g2"])];
    render(<Shown nodes={nodes} first="g3" />);
    const line = screen.getByRole("region", { name: /Ancestors/ });
    expect(within(line).getByText("3 ancestors")).toBeTruthy();
    expect(within(line).getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "#30.03by mutate",
      "#20.02by crossover with #0",
      "#10.01founder",
    ]);
    await user.click(within(line).getByRole("button", { name: "#2" }));
    expect(screen.getByRole("status").textContent).toBe("g2");
    expect(within(screen.getByRole("region", { name: /Ancestors/ })).getByText("1 descendant")).toBeTruthy();
  });

  it("filters by relatives of the selected genome", async () => {
    const user = userEvent.setup();
    render(<Shown nodes={[genome(0, 0), genome(1, 0), genome(2, 1, ["g0"])]} first="g2" />);
    await user.click(screen.getByRole("checkbox", { name: /only relatives/ }));
    expect(value("nodes")).toBe("2");
    expect(value("edges")).toBe("1");
  });
});
