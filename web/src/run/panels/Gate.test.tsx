import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import type { VerdictAt } from "../../history";
import type { JudgedInterval } from "../../wire/types";
import type { RunView } from "../view";
import { Gate } from "./Gate";

const INTERVAL: JudgedInterval = { name: "mismatch_rate", estimate: 0, lower: 0, upper: 0.012, alpha: 0.03, method: "clopper_pearson" };

function shown(interval: JudgedInterval): HTMLElement {
  const verdict: Partial<VerdictAt> = { id: "v", what: "verdict", candidateId: "candidate-1.0-a", decision: "adopt", intervals: [interval], k: 1, alpha: 0.03 };
  const moment = { verdicts: [verdict], candidate: () => null, expressed: () => [] };
  const view = { moment, config: null, select: () => undefined, selected: null } as unknown as RunView;
  return render(<Gate view={view} />).container;
}

test("an interval is drawn with its required range", () => {
  const panel = shown({ ...INTERVAL, must_exceed: null, must_stay_below: 0.02 });
  expect(screen.getByRole("img", { name: /needed: at most 2.00%/ })).toBeTruthy();
  expect(panel.querySelectorAll(".gate-line")).toHaveLength(1);
  expect(panel.querySelector("[data-value=cleared-mismatch_rate]")?.getAttribute("data-raw")).toBe("cleared");
});

test("each niche has its own error budget", () => {
  const verdicts = [["first", 0.03], ["second", 0.01], ["second", 0.005]].map(([niche, alpha], at) => ({ id: `v${at}`, what: "verdict", candidateId: "c", decision: "reject", intervals: [], k: at + 1, niche, alpha }));
  const config = { problem: "p", alpha: 0.05, challenges_before: 0, niches: [{ niche: "second", challenges: 2 }] };
  const view = { moment: { verdicts, candidate: () => null, expressed: () => [] }, config, select: () => undefined, selected: null } as unknown as RunView;
  const { container } = render(<Gate view={view} />);
  const figures = [...container.querySelectorAll("[data-value=error_spent]")].map((figure) => Number(figure.getAttribute("data-raw")));
  expect(figures.map((spent) => spent.toFixed(3))).toEqual(["0.030", "0.015"]);
  expect(container.querySelectorAll(".budget")).toHaveLength(2);
  expect(container.textContent).toContain("Error spent in second");
});

test("without a requirement no range is drawn", () => {
  const panel = shown(INTERVAL);
  expect(panel.querySelectorAll(".gate-line")).toHaveLength(0);
  expect(screen.getByRole("img", { name: /0.00% to 1.20%/ })).toBeTruthy();
});
