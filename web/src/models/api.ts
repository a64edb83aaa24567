/** The routes of the models page. */

import { get } from "../wire/client";
import type { CallOptions } from "../wire/client";
import type { ModelRoutes, Spend } from "./types";

export const modelsApi = {
  routes: (options?: CallOptions) => get<ModelRoutes>("/api/model-routes", options),
  spend: (options?: CallOptions) => get<Spend>("/api/models/spend", options),
};
