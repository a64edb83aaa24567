/** What the page says where an address leads to nothing: the API's own words are for who calls it. */

import type { Problem } from "../wire/problem";

export interface Way {
  readonly to: string;
  readonly label: string;
}

export interface Missing {
  readonly title: string;
  /** Where to go instead; null where the place that asked knows it better. */
  readonly way: Way | null;
}

const RUNS: Way = { to: "/", label: "Go to the runs" };
const REPORT: Missing = { title: "There is no such report", way: { to: "/guard", label: "Go to the reports of the gate" } };
const CANDIDATE: Missing = { title: "There is no such candidate", way: null };

const BY_CODE: Readonly<Record<string, Missing>> = {
  run_not_found: { title: "There is no such run", way: RUNS },
  candidate_not_found: CANDIDATE,
  report_not_found: REPORT,
  file_not_open: { title: "This file is not open any more", way: { to: "/open", label: "Open it again" } },
};

/** Ids that could not be anybody's, by the part of the path that they stand in. */
const BY_PLACE: Readonly<Record<string, Missing>> = {
  "path.run_id": { title: "That is no id of a run", way: RUNS },
  "path.cid": CANDIDATE,
  "path.report_id": REPORT,
};

/** What is not there, in words; null where the problem is another one. */
export function missingOf({ code, fields }: Problem): Missing | null {
  if (code !== "invalid_request") return BY_CODE[code] ?? null;
  return fields.map(({ where }) => BY_PLACE[where]).find((found) => found !== undefined) ?? null;
}
