import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";

import { Problem } from "../wire/problem";
import { noteReach } from "../wire/reach";
import { DataTable, Dialog, diffLines, Failed, Loading, Loads, Meter, Name, NumberField, Panel, Sparkline, Status, Tabs } from ".";
import type { Column } from ".";
import { ago, amount, cut, duration, money } from "./formatted";
import { statusLook } from "./Status";
import { sortFrom, sortText } from "./DataTable";

interface Person {
  readonly name: string;
  readonly age: number | null;
}

const PEOPLE: Person[] = [
  { name: "Bea", age: 30 },
  { name: "Cid", age: null },
  { name: "Ann", age: 40 },
];
const COLUMNS: Column<Person>[] = [
  { name: "name", title: "Name", cell: (row) => row.name, by: (row) => row.name, head: true },
  { name: "age", title: "Age", cell: (row) => row.age ?? "–", by: (row) => row.age, numeric: true },
];

const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);

test("a table sorts by its headers, with missing values last in both directions", () => {
  render(<DataTable caption="People" columns={COLUMNS} rows={PEOPLE} keyOf={(row) => row.name} />);
  expect(names()).toEqual(["Bea", "Cid", "Ann"]);
  fireEvent.click(screen.getByText("Age"));
  expect(names()).toEqual(["Ann", "Bea", "Cid"]);
  fireEvent.click(screen.getByText("Age"));
  expect(names()).toEqual(["Bea", "Ann", "Cid"]);
  expect(screen.getByRole("columnheader", { name: /Age/ }).getAttribute("aria-sort")).toBe("ascending");
});

test("rows open by click and by Enter, and arrow keys move between them", () => {
  const opened = vi.fn();
  render(<DataTable caption="People" columns={COLUMNS} rows={PEOPLE} keyOf={(row) => row.name} onOpen={opened} selected="Cid" />);
  const [, bea, cid] = screen.getAllByRole("row") as HTMLElement[];
  fireEvent.click(within(bea as HTMLElement).getByText("Bea"));
  fireEvent.keyDown(cid as HTMLElement, { key: "Enter" });
  expect(opened.mock.calls.map(([row]) => (row as Person).name)).toEqual(["Bea", "Cid"]);
  (bea as HTMLElement).focus();
  fireEvent.keyDown(bea as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement).toBe(cid);
  expect(cid?.getAttribute("aria-current")).toBe("true");
});

test("a long table shows more rows on request", () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ name: `n${index}`, age: index }));
  render(<DataTable caption="Many" columns={COLUMNS} rows={rows} keyOf={(row) => row.name} most={10} />);
  fireEvent.click(screen.getByText("Show 10 more of 25"));
  expect(names()).toHaveLength(20);
});

test("loading says so if the server does not respond", () => {
  render(<Loading what="the page" />);
  expect(screen.getByRole("status").textContent).toBe("Loading the page …");
  act(() => noteReach(false));
  expect(screen.getByRole("status").textContent).toContain("does not respond");
  act(() => noteReach(true));
  expect(screen.getByRole("status").textContent).toBe("Loading the page …");
});

test("a sort is text in a URL", () => {
  expect([sortFrom(""), sortFrom("-age"), sortFrom("name")]).toEqual([null, { column: "age", down: true }, { column: "name", down: false }]);
  expect(["-age", "name", ""].map((text) => sortText(sortFrom(text)))).toEqual(["-age", "name", ""]);
});

test("a diff has the line numbers of both sides", () => {
  const text = "--- a\n+++ b\n@@ -3,2 +3,3 @@\n same\n-gone\n+new\n+--- more\n";
  expect(diffLines(text).map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["file", null, null],
    ["file", null, null],
    ["place", null, null],
    ["same", 3, 3],
    ["removed", 4, null],
    ["added", null, 4],
    ["added", null, 5],
  ]);
});

test("every status has a label and a shape, even an unknown one", () => {
  const { container } = render(<Status of="candidate" value="under_review" compact />);
  expect(container.textContent).toBe("under review");
  expect(container.querySelector("svg")).toBeTruthy();
  expect(statusLook("run", "dreaming")).toEqual({ tone: "idle", shape: "ring", label: "dreaming" });
});

test("the main statuses of a run have different shapes", () => {
  const looks = ["completed", "stopped", "failed", "cancelled", "running"].map((value) => statusLook("run", value));
  expect(new Set(looks.map(({ shape }) => shape)).size).toBe(looks.length);
});

function Tabbed() {
  const [selected, setSelected] = useState("a");
  const tabs = ["a", "b", "c"].map((id) => ({ id, title: `Tab ${id}`, content: `Content ${id}` }));
  return <Tabs label="Things" tabs={tabs} selected={selected} onSelect={setSelected} />;
}

test("arrow keys cycle through tabs, and only the selected one is in the tab order", () => {
  render(<Tabbed />);
  fireEvent.keyDown(screen.getByRole("tab", { name: "Tab a" }), { key: "ArrowLeft" });
  expect(screen.getByRole("tabpanel").textContent).toBe("Content c");
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Tab c" }));
  expect(screen.getAllByRole("tab").map((tab) => tab.tabIndex)).toEqual([-1, -1, 0]);
});

test("a dialog has a name, and closes", () => {
  const closed = vi.fn();
  render(
    <Dialog open title="Sure?" onClose={closed}>
      text
    </Dialog>,
  );
  expect(screen.getByRole("dialog", { name: "Sure?" })).toBeTruthy();
  fireEvent.click(screen.getByLabelText("Close"));
  expect(closed).toHaveBeenCalled();
});

test("an invalid field is announced to screen readers", () => {
  const changed = vi.fn();
  render(<NumberField label="Budget" hint="at most 10" error="too much" value={11} onChange={changed} />);
  const field = screen.getByLabelText("Budget");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  const about = (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
  expect(about).toEqual(["at most 10", "too much"]);
  fireEvent.change(field, { target: { value: "" } });
  expect(changed).toHaveBeenCalledWith(null);
});

test("loaded data stay visible when a reload fails", () => {
  const problem = new Problem(500, "Broken", "inside", "x");
  const retry = vi.fn();
  const show = (data: string | null, wrong: Problem | null) => (
    <Loads of={{ data, problem: wrong, loading: false, reload: retry }} what="it">
      {(text) => <p>{text}</p>}
    </Loads>
  );
  const { rerender } = render(show(null, null));
  expect(screen.getByRole("status").textContent).toContain("Loading it");
  rerender(show(null, problem));
  fireEvent.click(screen.getByText("Try again"));
  expect(retry).toHaveBeenCalledTimes(1);
  rerender(show("data", problem));
  expect(screen.getByText("data")).toBeTruthy();
  expect(screen.getByText(/Could not reload it/)).toBeTruthy();
});

test("a failure shows what to do", () => {
  render(<Failed problem={new Problem(0, "No answer", "refused", "unreachable", "Start it.")} />);
  expect(screen.getByRole("alert").textContent).toContain("Start it.");
  expect(screen.queryByRole("button")).toBeNull();
});

test("a panel is a region named by its title", () => {
  render(
    <Panel name="fitness" title="Fitness">
      text
    </Panel>,
  );
  expect(screen.getByRole("region", { name: "Fitness" }).dataset.panel).toBe("fitness");
});

test("small graphics have labels", () => {
  render(
    <>
      <Sparkline points={[[1, 2]]} label="rose to 2" />
      <Meter value={30} of={20} label="Energy" />
    </>,
  );
  expect(screen.getByRole("img", { name: "rose to 2" })).toBeTruthy();
  expect(screen.getByRole("meter", { name: "Energy" }).getAttribute("aria-valuetext")).toBe("100 %");
});

test("numbers are formatted for readers", () => {
  expect([0, 12, 1_500, 25_000, 1_234_567, null].map(money)).toEqual(["$0", "$0.000012", "$0.0015", "$0.025", "$1.23", "–"]);
  expect([1234, 0.123456, 1e-7, 12345.678, null, Infinity].map((value) => amount(value))).toEqual(["1,234", "0.1235", "1.000e-7", "12,346", "–", "∞"]);
  expect([5, 1_500, 45_000, 200_000, 7_260_000, null].map(duration)).toEqual(["5 ms", "1.5 s", "45 s", "3 min 20 s", "2 h 1 min", "–"]);
  expect([0, 5_000, 7_200_000, -60_000].map((passed) => ago(1e12 - passed, 1e12))).toEqual(["just now", "5 s ago", "2 h ago", "in 1 min"]);
});

test("a long name can break after punctuation, and its text is unchanged", () => {
  const { container } = render(<Name of="src/bad_sort.py:sort" />);
  expect(container.textContent).toBe("src/bad_sort.py:sort");
  expect(container.querySelector("bdi")?.innerHTML).toBe("src/<wbr>bad_<wbr>sort.<wbr>py:<wbr>sort");
});

test("a name of any length is truncated, and its text direction is isolated", () => {
  const { container } = render(<Name of={`\u202E${"x".repeat(100_000)}`} />);
  const name = container.querySelector("bdi") as HTMLElement;
  expect(name.textContent?.length).toBeLessThan(400);
  expect(name.title.length).toBeLessThan(400);
  expect(name.title).not.toContain("\u202E");
});

test("a text is not cut within a character", () => {
  expect([cut("abc", 3), cut("abcd", 3), cut("ab😀d", 3)]).toEqual(["abc", "abc…", "ab…"]);
});
