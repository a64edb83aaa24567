import { expect, test } from "vitest";

import { absenceOf } from "./absence";

test.each([
  ["running", "nobody", true, "nobody"],
  ["stopping", "nobody", false, "nobody"],
  ["running", "here", true, "silent"],
  ["running", "here", false, null],
  ["running", "elsewhere", false, null],
  ["configured", "nobody", false, null],
  ["completed", "nobody", false, null],
  [null, "nobody", false, null],
] as const)("a run that is %s, conducted by %s, stalled %s: %s", (status, conducted, stalled, absence) => {
  expect(absenceOf(status, { conducted, stalled })).toBe(absence);
});

test("without the server's answer there is no absence", () => {
  expect(absenceOf("running", null)).toBeNull();
});
