/** The health of the run, and its conductor. */

import type { ReactNode } from "react";

import { absolute, ago } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Shape, Status } from "../../parts/Status";
import type { Problem } from "../../wire/problem";
import type { Health } from "../../wire/types";
import { useNow } from "../hooks/useNow";
import { whole } from "../logic/amounts";
import { PULSES, pulseOf } from "../logic/pulse";
import type { PanelProps } from "../view";

interface HealthPanelProps extends PanelProps {
  readonly health: Health | null;
  readonly problem: Problem | null;
}

export function HealthPanel({ view, health, problem }: HealthPanelProps) {
  const { moment } = view;
  const clock = useNow(1_000);
  const now = view.replay ? (moment.time ?? clock) : clock;
  const pulse = pulseOf(moment.run.status, moment.time, now);
  const { tone, shape, label } = PULSES[pulse];
  return (
    <Panel name="health" title="Health">
      <p className={`pulse status status-${tone}`} data-value="pulse" data-raw={pulse}>
        <Shape shape={shape} />
        <strong>{label}</strong>
      </p>
      <dl className="facts">
        <Fact label="Last event">
          <span data-value="last_event_age" data-raw={moment.time === null ? "" : Math.round(now - moment.time)} title={moment.time === null ? undefined : absolute(moment.time)}>
            {moment.time === null ? "none yet" : ago(moment.time, now)}
          </span>
          , number <span data-value="last_event">{whole(moment.sequence)}</span>
        </Fact>
        <Fact label="Conductor">
          <span data-value="conductor">{moment.conducting?.conductor ?? "–"}</span>
        </Fact>
        <Fact label="Takeovers">
          <span data-value="epochs">{moment.conducting?.takingsOver ?? "–"}</span>
        </Fact>
        <Fact label="Conducted">{health === null ? "–" : <Status of="conducted" value={health.conducted} />}</Fact>
        <Fact label="Stalled">
          <span data-value="stalled">{health === null ? (pulse === "stale" ? "yes" : "no") : health.stalled ? "yes" : "no"}</span>
        </Fact>
      </dl>
      {view.replay && <p className="muted small">A replay does not show the current conductor.</p>}
      {problem !== null && !view.replay && <p className="muted small">The health of the run could not be loaded: {problem.title}.</p>}
    </Panel>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
