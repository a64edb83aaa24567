/** What the server says of a file that it does not take, for who has sent it. */

import { Problem } from "../wire/problem";
import { isTokenRequired } from "../wire/tokenWanted";

/** Answers that may be others the next time. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the file itself was turned down: it would be again. */
export function isRefusal(problem: Problem): boolean {
  const { status } = problem;
  return status >= 400 && status < 500 && !PASSING.has(status) && !isTokenRequired(problem);
}

/** A refusal in words of the page; another problem as it is. */
export function inWords(problem: Problem): Problem {
  if (!isRefusal(problem)) return problem;
  const { status, detail, code, hint, fields } = problem;
  return new Problem(status, "This file cannot be opened", detail, code, hint, fields);
}
