import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { Label, labelsOf } from "./Label";

const IDS = ["01a1e664-a8aa-779c-afd0-d297948b3fbc", "01a1e665-4193-71f6-af3d-1ae292039432", "01a1e665-4193-71f6-af3d-1ae2920394aa"];

function labelled(...problems: readonly string[]): string[] {
  const labels = labelsOf(problems.map((problem, place) => ({ run_id: IDS[place] ?? "", problem })));
  return labels.map((label) => render(<Label of={label} />).container.textContent ?? "");
}

test("runs with the same name are distinguished by their ids", () => {
  const labels = labelled("sort", "sort", "words");
  expect(new Set(labels).size).toBe(3);
  expect(labels[2]).toBe("words");
});

test("so are runs with long names that differ only in the hidden part", () => {
  const long = "x".repeat(50_000);
  expect(new Set(labelled(`${long}a`, `${long}b`)).size).toBe(2);
});
