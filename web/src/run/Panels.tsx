/** All panels of a run, in a grid that collapses to one column on narrow screens. */

import { memo } from "react";

import type { RunApi } from "../wire/api";
import type { Problem } from "../wire/problem";
import type { Health } from "../wire/types";
import { ActivityFeed } from "./panels/ActivityFeed";
import { Archive } from "./panels/Archive";
import { DomainPanels } from "./panels/DomainPanels";
import { Energy } from "./panels/Energy";
import { FitnessPanel } from "./panels/FitnessPanel";
import { Gate } from "./panels/Gate";
import { HealthPanel } from "./panels/HealthPanel";
import { LineagePanel } from "./panels/LineagePanel";
import { Pareto } from "./panels/Pareto";
import { Roster } from "./panels/Roster";
import { Workers } from "./panels/Workers";
import type { PanelProps } from "./view";

interface PanelsProps extends PanelProps {
  readonly health: Health | null;
  readonly problem: Problem | null;
  readonly api: RunApi;
}

export const Panels = memo(function Panels({ view, health, problem, api }: PanelsProps) {
  return (
    <div className="run-grid">
      <FitnessPanel view={view} />
      <Workers view={view} />
      <LineagePanel view={view} />
      <Gate view={view} />
      <Energy view={view} />
      <Archive view={view} />
      <Pareto view={view} />
      <DomainPanels view={view} api={api} />
      <ActivityFeed view={view} />
      <HealthPanel view={view} health={health} problem={problem} />
      <Roster view={view} />
    </div>
  );
});
