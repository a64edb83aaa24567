/** The inspector over the panels; it is loaded when somebody is first inspected. */

import { Suspense } from "react";
import { lazily } from "../parts/lazily";

import type { Then } from "../candidate/asOf";
import { Loading } from "../parts/states";

const Inspector = lazily(async () => ({ default: (await import("../candidate/Inspector")).Inspector }));

interface InspectorDrawerProps {
  readonly base: string;
  readonly runId: string;
  readonly candidateId: string;
  readonly domain: string | null;
  /** In a replay: the moment, and what the candidate was then. */
  readonly at: Then | null;
  readonly onClose: () => void;
}

export function InspectorDrawer(props: InspectorDrawerProps) {
  return (
    <Suspense fallback={<Loading what="the candidate" />}>
      <Inspector {...props} />
    </Suspense>
  );
}
