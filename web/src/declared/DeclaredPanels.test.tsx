import { render, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import type { DomainInfo, JsonObject } from "../wire/types";
import { DeclaredPanels } from "./DeclaredPanels";
import type { DeclaredPanel, Part } from "./types";

const figure = (name: string, value: string, more: object = {}) => ({ name, label: name, value, format: "number", low: null, high: null, ...more });

const PARTS = [
  {
    part: "figures",
    figures: [
      figure("count", "proof.count"),
      figure("gain", "proof.gain", { format: "factor", low: "proof.low", high: "proof.high" }),
      figure("agreed", "proof.agreed", { format: "share" }),
      figure("memory", "proof.memory", { format: "bytes" }),
      figure("took", "proof.took", { format: "duration" }),
      figure("named", "proof.named", { format: "text" }),
    ],
  },
  { part: "headline", figure: figure("last", "proof.rows.-1.value", { format: "factor", label: "at size {proof.rows.-1.size}" }) },
  {
    part: "table",
    name: "rows",
    caption: "Rows",
    rows: "proof.rows",
    columns: [
      { title: "Size", value: "size", format: "number" },
      { title: "Note", value: "note.0", format: "text" },
    ],
  },
  {
    part: "bars",
    name: "value",
    caption: "Values",
    rows: "proof.rows",
    label: { title: "Size", value: "size", format: "number" },
    title: "Value",
    value: "value",
    low: "low",
    high: "high",
    format: "factor",
    scale: "ratio",
    reference: 1,
  },
  { part: "text", name: "source", label: "Its source", value: "proof.source", language: "python" },
  { part: "status", name: "held", value: "proof.held", yes: "It held in {proof.count} cases.", no: "It did not." },
] as unknown as Part[];

const FULL: JsonObject = {
  count: 1234,
  gain: 2.5,
  low: 2,
  high: 3.125,
  agreed: 0.125,
  memory: 2_500_000,
  took: 340,
  named: "peas",
  rows: [
    { size: 64, value: 6.33, low: null, high: 10.6, note: ["small"] },
    { size: 1024, value: 269.01, low: 245.9, high: 294.3, note: ["large"] },
  ],
  source: "def f():\n    return 1\n",
  held: true,
};

interface Options {
  readonly panel?: Partial<DeclaredPanel>;
  readonly file?: string | null;
}

function shown(proof: unknown, { panel = {}, file = null }: Options = {}): HTMLElement | null {
  const declared = { name: "mine", title: "Mine", place: "proof", note: null, source: null, when: null, parts: PARTS, ...panel };
  const domain = { name: "peas", panels: [declared] } as unknown as DomainInfo;
  const values = { proof } as JsonObject;
  render(<DeclaredPanels domain={domain} place="proof" values={values} runId="r/1" file={file} />);
  return document.querySelector("[data-panel=mine]");
}

const value = (name: string) => document.querySelector(`[data-value="${name}"]`);
const told = (name: string) => [value(name)?.textContent, value(name)?.getAttribute("data-raw")];

test("every part is drawn from the values at its paths", () => {
  shown(FULL);
  expect(told("count")).toEqual(["1,234", "1234"]);
  expect(told("gain")).toEqual(["2.5×", "2.5"]);
  expect(screen.getByText("2× to 3.13×")).toBeTruthy();
  expect(["agreed", "memory", "took", "named"].map((name) => told(name)[0])).toEqual(["12.5 %", "2.5 MB", "340 ms", "peas"]);
  expect(document.querySelector(".declared-headline")?.textContent).toBe("269× at size 1,024 ");
  const table = screen.getByRole("table", { name: "Rows" });
  expect(within(table).getAllByRole("row").map((row) => row.textContent)).toEqual(["Size↕Note↕", "64small", "1,024large"]);
  expect(told("value-64")).toEqual(["6.33×", "6.33"]);
  expect(told("value-1024")).toEqual(["269×", "269.01"]);
  expect(screen.getByText("– to 10.6×")).toBeTruthy();
  expect(document.querySelectorAll(".declared-bar, .declared-one")).toHaveLength(4);
  expect(screen.getByRole("region", { name: "Its source" }).textContent).toContain("return 1");
  expect(told("held")).toEqual(["It held in 1,234 cases.", "true"]);
});

test("missing or mistyped values are dashes; a false status says so", () => {
  shown({ held: false, count: "many", gain: { of: 1 }, rows: [{}, 7, null, { value: "fast" }], source: 5 });
  expect(["count", "gain", "agreed", "memory", "took", "named", "last"].map((name) => told(name)[0])).toEqual(Array(7).fill("–"));
  expect(told("held")).toEqual(["It did not.", "false"]);
  expect(document.querySelectorAll(".declared-bar")).toHaveLength(0);
  expect(document.querySelector("[data-text=source]")?.textContent).toContain("–");
});

test.each([null, undefined, "peas", 7, [], { rows: "none" }])("%s instead of a proof breaks nothing", (proof) => {
  const panel = shown(proof);
  expect(panel?.textContent).toContain("–");
  expect(told("held")).toEqual(["–", ""]);
});

test("properties of prototypes are not values", () => {
  shown({ ...FULL, rows: [] }, { panel: { parts: [{ part: "figures", figures: [figure("odd", "proof.constructor.name", { format: "text" }), figure("length", "proof.rows.length")] }] as unknown as Part[] } });
  expect([told("odd")[0], told("length")[0]]).toEqual(["–", "–"]);
});

test("values are never markup, and never change the direction of neighbouring text", () => {
  const hostile = `<img src=x onerror="alert(1)">\u202E{proof.count}`;
  shown({ ...FULL, named: hostile, source: hostile, rows: [{ size: hostile, value: 1e308, low: -1e308, high: 5, note: [hostile] }] });
  expect(document.querySelector("img")).toBeNull();
  expect(told("named")[0]).toBe(`<img src=x onerror="alert(1)">{proof.count}`);
  expect(document.querySelector("[data-table=rows]")?.textContent).toContain("<img");
});

test("a panel is left out if its condition fails, its place differs, or its domain is not installed", () => {
  expect(shown(FULL, { panel: { when: "proof.nothing" } })).toBeNull();
  expect(shown(FULL, { panel: { place: "run" } })).toBeNull();
  render(<DeclaredPanels domain={null} place="proof" values={{}} runId="r" file={null} />);
  expect(document.querySelector("[data-panel]")).toBeNull();
});

const SOURCED = { source: "runs/{run_id}/closest", parts: [{ part: "figures", figures: [figure("first", "answer.0.total")] }] as unknown as Part[] };

test("a panel's source is loaded from its domain's routes", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(`${init?.method ?? "GET"} ${String(input)}`);
    return Promise.resolve(Response.json([{ total: 0.5 }]));
  });
  shown({}, { panel: SOURCED });
  await waitFor(() => expect(told("first")).toEqual(["0.5", "0.5"]));
  expect(asked).toEqual(["GET /api/domains/peas/runs/r%2F1/closest"]);
});

test("a failed source is reported, and its values are dashes", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ title: "Not found", code: "run_not_found" }, { status: 404 })));
  shown({}, { panel: SOURCED });
  await screen.findByText(/could not be loaded: Not found/);
  expect(told("first")[0]).toBe("–");
});

test("a source is not loaded for a run from a file", () => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  shown({}, { panel: SOURCED, file: "f" });
  expect(told("first")[0]).toBe("–");
  expect(fetched).not.toHaveBeenCalled();
});
