import { expect, test } from "vitest";

import { labelsOf } from "./labels";

test("runs that are called alike are told apart by their ids", () => {
  const runs = [
    { run_id: "01a1e664-a8aa-779c-afd0-d297948b3fbc", problem: "sort" },
    { run_id: "01a1e665-4193-71f6-af3d-1ae292039432", problem: "sort" },
    { run_id: "01a1e665-4193-71f6-af3d-1ae2920394aa", problem: "words" },
  ];
  const labels = labelsOf(runs);
  expect(new Set(labels).size).toBe(3);
  expect(labels[2]).toBe("words");
});
