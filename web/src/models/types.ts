/** Who answers which role, and what it cost, as the API tells it. No key is ever in it, only a variable's name. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

/** Per million tokens. */
export type Price = Schemas["RoutePrice"];
export type Source = Schemas["RouteSource"];
export type RoleRoute = Schemas["RoleRoutes"];
export type ModelRoutes = Schemas["ModelRoutes"];
export type Amounts = Schemas["Spent"];
export type SpendRow = Schemas["SpentBy"];
export type RunSpend = Schemas["SpentInRun"];
export type Spend = Schemas["Spend"];
