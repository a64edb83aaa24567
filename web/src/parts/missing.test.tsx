import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { Problem } from "../wire/problem";
import { Failed } from "./states";

const refused = (where: string) => new Problem(422, "Unprocessable Entity", "String should match pattern", "invalid_request", null, [{ where, message: "String should match pattern" }]);
const gone = (code: string) => new Problem(404, "Not Found", "GET /api/… lists them", code);

test.each([
  [refused("path.run_id"), "This is not a run id", "/"],
  [gone("run_not_found"), "There is no such run", "/"],
  [gone("file_not_open"), "This file is no longer open", "/open"],
  [gone("report_not_found"), "There is no such report", "/guard"],
  [refused("path.report_id"), "There is no such report", "/guard"],
])("a missing thing has the page's own message and a link to go on: %s", (problem, title, to) => {
  render(<Failed problem={problem} retry={() => undefined} />);
  expect(screen.getByRole("alert").textContent).toContain(title);
  expect(screen.getByRole("alert").textContent).not.toMatch(/GET|pattern/);
  expect(screen.getByRole("link").getAttribute("href")).toBe(to);
  expect(screen.queryByRole("button")).toBeNull();
});

test("the calling component can provide the link", () => {
  render(<Failed problem={gone("candidate_not_found")} way={{ to: "/runs/r", label: "Back to the run" }} />);
  expect(screen.getByText("There is no such candidate")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to the run" }).getAttribute("href")).toBe("/runs/r");
});

test("a rejected form field is not a missing thing", () => {
  render(<Failed problem={refused("body.caps")} />);
  expect(screen.getByRole("alert").textContent).toContain("Unprocessable Entity");
});
