/** Errors of the server about an uploaded file, in words for the user. */

import { Problem } from "../wire/problem";
import { isTokenRequired } from "../wire/tokenWanted";

/** Client error statuses for which a retry may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the server rejected the file itself, so that a retry is pointless. */
export function isRefusal(problem: Problem): boolean {
  const { status } = problem;
  return status >= 400 && status < 500 && !PASSING.has(status) && !isTokenRequired(problem);
}

/** A rejection with the page's own title; any other problem unchanged. */
export function inWords(problem: Problem): Problem {
  if (!isRefusal(problem)) return problem;
  const { status, detail, code, hint, fields } = problem;
  return new Problem(status, "This file cannot be opened", detail, code, hint, fields);
}
