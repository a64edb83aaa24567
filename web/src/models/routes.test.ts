import { expect, test } from "vitest";

import { priceOf, routeRows } from "./RoutesPanel";
import type { ModelRoutes, RoleRoute, Source } from "./types";

const source = (route: string): Source => ({
  name: route,
  route,
  weight: 1,
  structured: "",
  key_variable: null,
  key_present: false,
  price: null,
});

const role = (name: string, sources: Source[]): RoleRoute => ({
  role: name,
  played: sources.length > 0,
  overridable: [],
  sources,
  fallback: null,
  retries: null,
  asked_at_once: null,
  limits: null,
});

test("every source of a role has a row, and so does a role without sources", () => {
  const routes: ModelRoutes = {
    profile: "live",
    roles: [role("mutator", [source("lab/small"), source("lab/large")]), role("judge", [])],
    providers: [],
    without_price: [],
    unused_prices: [],
    fan_out: null,
    lacking: [],
    remarks: [],
    offline: { judge: ["offline/judge"] },
  };
  const rows = routeRows(routes).map((row) => [row.role.role, row.source?.route ?? row.offline.join()]);
  expect(rows).toEqual([
    ["mutator", "lab/small"],
    ["mutator", "lab/large"],
    ["judge", "offline/judge"],
  ]);
});

test("an unknown price is not free", () => {
  expect(priceOf(null)).toBe("unknown");
  expect(priceOf({ input_usd: 0, output_usd: 0 })).toBe("free");
  expect(priceOf({ input_usd: 0.25, output_usd: 2 })).toBe("$0.25 in, $2 out");
});
