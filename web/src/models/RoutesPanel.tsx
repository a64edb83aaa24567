/** The routes of each role. Of an API key, the page receives only its variable's name and whether it is set. */

import { Banner, DataTable, Loads, Panel, Status, Value } from "../parts";
import type { Column } from "../parts";
import type { Loaded } from "../wire/useLoaded";
import type { ModelRoutes, Price, RoleRoute, Source } from "./types";

interface RouteRow {
  readonly role: RoleRoute;
  readonly source: Source | null;
  readonly offline: readonly string[];
}

const COLUMNS: readonly Column<RouteRow>[] = [
  { name: "role", title: "Role", head: true, by: (row) => row.role.role, cell: (row) => row.role.role.replaceAll("_", " ") },
  { name: "route", title: "Provider and model", cell: (row) => <Route row={row} /> },
  { name: "weight", title: "Weight", numeric: true, cell: (row) => row.source?.weight ?? "–" },
  { name: "fallback", title: "Falls back to", cell: (row) => row.role.fallback?.route ?? "–" },
  { name: "price", title: "Price per million tokens", cell: (row) => (row.source === null ? "–" : priceOf(row.source.price)) },
  { name: "key", title: "Key", cell: (row) => (row.source === null ? "–" : <Key source={row.source} />) },
];

function Route({ row }: { row: RouteRow }) {
  if (row.source !== null) return <code>{row.source.route}</code>;
  return row.offline.length === 0 ? <span className="muted">none</span> : <code>{row.offline.join(", ")}</code>;
}

function Key({ source }: { source: Source }) {
  if (source.key_variable === null) return <span className="muted">not needed</span>;
  return (
    <>
      <code>{source.key_variable}</code>{" "}
      <Status of="check" value={source.key_present ? "ok" : "warning"} label={source.key_present ? "set" : "not set"} />
    </>
  );
}

export function priceOf(price: Price | null): string {
  if (price === null) return "unknown";
  if (price.input_usd === 0 && price.output_usd === 0) return "free";
  return `$${price.input_usd} in, $${price.output_usd} out`;
}

/** One row per source of each role; one row for a role without sources. */
export function routeRows(routes: ModelRoutes): RouteRow[] {
  return routes.roles.flatMap((role): RouteRow[] => {
    const offline = routes.offline[role.role] ?? [];
    const sources = role.sources ?? [];
    return sources.length === 0 ? [{ role, source: null, offline }] : sources.map((source) => ({ role, source, offline }));
  });
}

export function RoutesPanel({ routes }: { routes: Loaded<ModelRoutes> }) {
  return (
    <Panel name="routes" title="Routes" note="The models of each role. On the command line: mendel models list">
      <Loads of={routes} what="the routes">
        {(data) => (
          <>
            {data.profile === "offline" && (
              <Banner kind="info" title="Offline" name="offline">
                No model is called, and nothing costs money. To call the configured models, set{" "}
                <code>profile = "live"</code> in <code>[llm]</code> of <code>mendel.toml</code>, or{" "}
                <code>MENDEL_LLM__PROFILE=live</code>.
              </Banner>
            )}
            <p>
              Profile:{" "}
              <Value name="profile" raw={data.profile}>
                <strong>{data.profile ?? "unknown"}</strong>
              </Value>
            </p>
            <DataTable
              caption="Models by role"
              columns={COLUMNS}
              rows={routeRows(data)}
              dense
              keyOf={(row) => `${row.role.role} ${row.source?.name ?? ""} ${row.source?.route ?? ""}`}
            />
            <Remarks remarks={data.remarks ?? []} />
          </>
        )}
      </Loads>
    </Panel>
  );
}

function Remarks({ remarks }: { remarks: readonly string[] }) {
  if (remarks.length === 0) return null;
  return (
    <ul className="muted">
      {remarks.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  );
}
