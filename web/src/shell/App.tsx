import { Suspense } from "react";

import { Empty, Loading } from "../parts/states";
import { Boundary } from "./Boundary";
import { Layout } from "./Layout";
import { Link, match, RouteContext, usePath } from "./router";
import type { Params } from "./router";
import { routes } from "./routes";
import type { Route } from "./routes";
import { useTitle } from "./useTitle";

export function App() {
  const path = usePath();
  const found = resolve(path);
  useTitle(found?.route.title ?? "Not found");
  return (
    <Layout current={found?.route.nav ?? ""}>
      {found === null ? <Lost path={path} /> : <Shown route={found.route} params={found.params} />}
    </Layout>
  );
}

function resolve(path: string): { route: Route; params: Params } | null {
  for (const route of routes()) {
    const params = match(route.pattern, path);
    if (params !== null) return { route, params };
  }
  return null;
}

function Shown({ route, params }: { route: Route; params: Params }) {
  return (
    <RouteContext value={params}>
      <Boundary key={route.group ?? route.pattern}>
        <Suspense fallback={<Loading what="the page" />}>{route.page(params)}</Suspense>
      </Boundary>
    </RouteContext>
  );
}

function Lost({ path }: { path: string }) {
  return (
    <>
      <h1>There is no such page</h1>
      <Empty title={`No page at ${path}`}>
        <Link to="/">Go to the runs</Link>
      </Empty>
    </>
  );
}
