import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import type { RunView } from "../view";
import { Workers } from "./Workers";

const CHALLENGE = { id: "o", kind: "challenge", step: "challenge", operator: null, subjects: [], parents: [], attempt: 1, startedAt: null, why: null };

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
