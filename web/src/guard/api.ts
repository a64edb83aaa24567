/** API routes of the guard pages. */

import { get } from "../wire/client";
import type { CallOptions, Params } from "../wire/client";
import type { GuardList, GuardReport } from "./types";

export const guardApi = {
  list: (params: Params, options: CallOptions = {}) => get<GuardList>("/api/guard/reports", { ...options, params }),
  one: (id: string, options?: CallOptions) => get<GuardReport>(`/api/guard/reports/${encodeURIComponent(id)}`, options),
};
