/** Messages for addresses that lead to nothing; the API's own messages are written for API clients. */

import type { Problem } from "../wire/problem";

export interface Way {
  readonly to: string;
  readonly label: string;
}

export interface Missing {
  readonly title: string;
  /** A link to go on with; null if the calling component provides one. */
  readonly way: Way | null;
}

const RUNS: Way = { to: "/", label: "Go to the runs" };
const REPORT: Missing = { title: "There is no such report", way: { to: "/guard", label: "Go to the decisions of the gate" } };
const CANDIDATE: Missing = { title: "There is no such candidate", way: null };

const BY_CODE: Readonly<Record<string, Missing>> = {
  run_not_found: { title: "There is no such run", way: RUNS },
  candidate_not_found: CANDIDATE,
  report_not_found: REPORT,
  file_not_open: { title: "This file is no longer open", way: { to: "/open", label: "Open it again" } },
};

/** Messages for malformed ids, by the parameter of the path. */
const BY_PLACE: Readonly<Record<string, Missing>> = {
  "path.run_id": { title: "This is not a run id", way: RUNS },
  "path.cid": CANDIDATE,
  "path.report_id": REPORT,
};

/** The message for something missing; null for any other problem. */
export function missingOf({ code, fields }: Problem): Missing | null {
  if (code !== "invalid_request") return BY_CODE[code] ?? null;
  return fields.map(({ where }) => BY_PLACE[where]).find((found) => found !== undefined) ?? null;
}
