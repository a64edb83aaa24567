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

test("judging is told from checking, in the words of the domain", () => {
  expect(working({ steps: STEPS })).toEqual([
    ["Examining 1", "measuring"],
    ["Judging 1", "tasting"],
  ]);
});

test("what nobody has words for goes by its step and its kind", () => {
  expect(working(null)).toEqual([["Examining 2", "peas.measure"]]);
});

function shown(champions: ReadonlyMap<string, string>): void {
  const moment = { inFlight: [CHALLENGE], run: { over: false }, champions, time: null };
  render(<Workers view={{ moment, config: null, replay: true } as unknown as RunView} />);
}

test("who is before the gate first challenges nobody", () => {
  shown(new Map());
  expect(screen.getByRole("heading", { name: /Before the gate/ })).toBeTruthy();
});

test("who comes later challenges the champion", () => {
  shown(new Map([["programs", "candidate-1"]]));
  expect(screen.getByRole("heading", { name: /Challenging the champion/ })).toBeTruthy();
});
