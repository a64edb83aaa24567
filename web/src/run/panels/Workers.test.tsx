import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import type { RunView } from "../view";
import { Workers } from "./Workers";

const CHALLENGE = { id: "o", kind: "challenge", step: "challenge", operator: null, subjects: [], parents: [], attempt: 1, startedAt: null, why: null };

const MEASURE = { ...CHALLENGE, id: "m", kind: "examine", step: "peas.measure" };
const TASTE = { ...CHALLENGE, id: "t", kind: "examine", step: "peas.taste" };
const STEPS = [
  { step: "peas.measure", word: "measuring", role: "check" },
  { step: "peas.taste", word: "tasting", role: "review" },
];

function working(domain: unknown): string[][] {
  const moment = { inFlight: [MEASURE, TASTE], run: { over: false }, champions: new Map(), time: null };
  render(<Workers view={{ moment, config: null, domain, replay: true } as unknown as RunView} />);
  const groups = [...document.querySelectorAll(".worker-kind")];
  return groups.map((group) => [group.querySelector("h3")?.textContent ?? "", group.querySelector(".worker-step")?.textContent ?? ""]);
}

test("reviews and checks are grouped separately, with the domain's words", () => {
  expect(working({ steps: STEPS })).toEqual([
    ["Examining 1", "measuring"],
    ["Judging 1", "tasting"],
  ]);
});

test("an operation without words is shown by its step and its kind", () => {
  expect(working(null)).toEqual([["Examining 2", "peas.measure"]]);
});

function shown(champions: ReadonlyMap<string, string>): void {
  const moment = { inFlight: [CHALLENGE], run: { over: false }, champions, time: null };
  render(<Workers view={{ moment, config: null, replay: true } as unknown as RunView} />);
}

test("the first challenge has no champion to challenge", () => {
  shown(new Map());
  expect(screen.getByRole("heading", { name: /Gate evaluation/ })).toBeTruthy();
});

test("later challenges are against the champion", () => {
  shown(new Map([["programs", "candidate-1"]]));
  expect(screen.getByRole("heading", { name: /Challenging the champion/ })).toBeTruthy();
});
