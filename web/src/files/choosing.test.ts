import { expect, test } from "vitest";

import { objection, size } from "./choosing";

test("empty and too large files are not sent", () => {
  expect(objection({ name: "a.jsonl", size: 0 })).toContain("empty");
  expect(objection({ name: "a.jsonl", size: 3e9 })).toContain("3 GB");
  expect(objection({ name: "a.jsonl", size: 12_345 })).toBeNull();
});

test("sizes have a suitable unit", () => {
  expect([size(1), size(999), size(12_345), size(2_500_000), size(5e9)]).toEqual([
    "1 bytes",
    "999 bytes",
    "12.3 kB",
    "2.5 MB",
    "5 GB",
  ]);
});
