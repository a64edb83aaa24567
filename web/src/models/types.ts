/** API types of model routes and spend. They never contain a key, only the name of its variable. */

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
