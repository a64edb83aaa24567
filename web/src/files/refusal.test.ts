import { expect, test } from "vitest";

import { Problem, unreachable } from "../wire/problem";
import { TOKEN_REQUIRED } from "../wire/tokenWanted";
import { inWords, isRefusal } from "./refusal";

test("a rejected file is reported with the reason, without a retry", () => {
  const damaged = new Problem(422, "Unprocessable Entity", "line 7 does not follow from line 6", "run_file");
  expect(isRefusal(damaged)).toBe(true);
  expect(inWords(damaged)).toMatchObject({ title: "This file cannot be opened", detail: damaged.detail, code: "run_file" });
});

test.each([
  unreachable("refused"),
  new Problem(503, "Service Unavailable", "", "busy"),
  new Problem(429, "Too Many Requests", "", "busy"),
  new Problem(401, "Unauthorized", "", TOKEN_REQUIRED),
])("problems that are not about the file stay unchanged and can be retried: $title", (problem) => {
  expect(isRefusal(problem)).toBe(false);
  expect(inWords(problem)).toBe(problem);
});
