import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { Verdicts } from "./Verdicts";
import { TextView } from "./Material";
import type { Detail, VerdictItem } from "./wire";

const item: VerdictItem = {
  what: "verdict",
  sequence: 1054,
  event_id: "e",
  decision: "adopt",
  mode: "exact",
  n: 174,
  alpha: 0.0304,
  k: 1,
  niche: "programs:sort",
  policy: "superiority:margin=0.02",
  intervals: [
    { name: "mismatch_rate", estimate: 0, lower: 0, upper: 0.0199, alpha: 0.0304, method: "clopper_pearson", must_exceed: null, must_stay_below: 0.02 },
  ],
  reason: null,
  verdict: null,
};

test("a verdict shows its decision, its figures, and whether the interval is inside the required range", () => {
  const { container } = render(<Verdicts verdicts={[item]} />);
  const raw = (name: string) => container.querySelector(`[data-value="${name}"]`)?.getAttribute("data-raw");
  expect(raw("decision")).toBe("adopt");
  expect([raw("n"), raw("alpha"), raw("challenge")]).toEqual(["174", "0.0304", "1"]);
  expect(raw("cleared-mismatch_rate")).toBe("cleared");
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("at most 2.00%");
});

test("an interval across the bound is shown as open", () => {
  const over = { ...item, intervals: [{ ...item.intervals![0]!, upper: 0.05 }] };
  const { container } = render(<Verdicts verdicts={[over]} />);
  expect(container.querySelector('[data-value="cleared-mismatch_rate"]')?.getAttribute("data-raw")).toBe("open");
});

test("a candidate without a verdict says so", () => {
  render(<Verdicts verdicts={[]} />);
  expect(screen.getByText("Not judged by the gate")).toBeTruthy();
});

test("a candidate's text is shown as text, whatever it contains", () => {
  const hostile = '<img src=x onerror="alert(1)">';
  const detail = { text: { language: "text", source: hostile }, summary: "<b>bold</b>", content: {} } as unknown as Detail;
  const { container } = render(<TextView detail={detail} />);
  expect(container.querySelector("img, b")).toBeNull();
  expect(container.textContent).toContain(hostile);
});
