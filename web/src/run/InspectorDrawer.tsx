/** The inspector over the panels; its code is loaded on first use. */

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
  /** In a replay: the moment, and the candidate's state at it. */
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
