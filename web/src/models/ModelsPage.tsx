/** The models of each role with their prices, and the spend so far. */

import { useLoaded } from "../wire/useLoaded";
import { modelsApi } from "./api";
import { RoutesPanel } from "./RoutesPanel";
import { SpendPanel } from "./SpendPanel";

export default function ModelsPage() {
  const routes = useLoaded("model-routes", (signal) => modelsApi.routes({ signal }));
  const spend = useLoaded("model-spend", (signal) => modelsApi.spend({ signal }), { every: 15_000 });
  return (
    <div className="stack">
      <h1>Models</h1>
      <SpendPanel spend={spend} />
      <RoutesPanel routes={routes} />
    </div>
  );
}
