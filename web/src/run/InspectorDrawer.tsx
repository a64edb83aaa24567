/** The inspector over the panels; it is loaded when somebody is first inspected. */

import { Suspense, lazy } from "react";

import { Loading } from "../parts/states";

const Inspector = lazy(() => import("../candidate/Inspector").then((found) => ({ default: found.Inspector })));

interface InspectorDrawerProps {
  readonly base: string;
  readonly runId: string;
  readonly candidateId: string;
  readonly domain: string | null;
  readonly onClose: () => void;
}

export function InspectorDrawer(props: InspectorDrawerProps) {
  return (
    <Suspense fallback={<Loading what="the candidate" />}>
      <Inspector {...props} />
    </Suspense>
  );
}
