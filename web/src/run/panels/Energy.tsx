/** The remaining energy and money over time, and the usage of every cap. */

import { useMemo } from "react";

import type { SpendSeries } from "../../history";
import { duration, money } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Meter } from "../../parts/small";
import { Empty } from "../../parts/states";
import { percent, short } from "../logic/amounts";
import { capUses } from "../logic/caps";
import type { CapUse } from "../logic/caps";
import { drainOf } from "../logic/drain";
import { usedAt } from "../logic/used";
import type { PanelProps } from "../view";

export function Energy({ view }: PanelProps) {
  const { moment } = view;
  const caps = moment.run.caps ?? {};
  const uses = useMemo(() => capUses(moment.run.caps ?? {}, usedAt(moment)), [moment]);
  const [budget, purse] = [caps.energy_budget ?? null, caps.max_cost_microusd ?? null];
  return (
    <Panel name="energy" title="Energy and cost">
      <div className="drains">
        <Drain title="Energy left" series={moment.energySeries} spent={moment.totals.energy} limit={budget} last={moment.sequence} format={short} />
        <Drain title="Money left" series={moment.costSeries} spent={moment.totals.costMicrousd} limit={purse} last={moment.sequence} format={money} />
      </div>
      {uses.length === 0 ? <Empty title="The run has no caps yet." /> : <Caps uses={uses} />}
    </Panel>
  );
}

const FORMATS: Readonly<Record<CapUse["unit"], (value: number | null) => string>> = {
  count: short,
  energy: short,
  money,
  ms: duration,
};

function Caps({ uses }: { uses: readonly CapUse[] }) {
  return (
    <>
      <p className="muted small">The used share of each cap. Operations in flight count with their full allowance.</p>
      <ul className="caps">
        {uses.map(({ name, label, unit, used, limit, share, level }) => (
          <li key={name} data-cap={name} data-level={level}>
            <span className="cap-name">{label}</span>
            <Meter value={used} of={limit} label={`${label} used`} high={0.8} />
            <span className="cap-said" data-value={`cap_${name}`} data-raw={used}>
              {FORMATS[unit](used)} <span className="muted">of {FORMATS[unit](limit)}</span>
            </span>
            <span className="cap-share">{level === "full" ? "▲ full" : percent(share)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const [WIDTH, HEIGHT] = [300, 96];

interface DrainProps {
  readonly title: string;
  readonly series: SpendSeries;
  /** The total spend; the series may lack energy that was not charged to an operation. */
  readonly spent: number;
  readonly limit: number | null;
  readonly last: number;
  readonly format: (value: number) => string;
}

/** The remaining amount over the events, as a falling line. */
function Drain({ title, series, spent, limit, last, format }: DrainProps) {
  const drain = useMemo(() => (limit === null ? null : drainOf(series, spent, limit, last)), [series, spent, limit, last]);
  if (drain === null) return null;
  const x = (sequence: number) => (sequence / Math.max(last, 1)) * WIDTH;
  const y = (left: number) => 6 + (1 - (left - drain.floor) / (drain.top - drain.floor || 1)) * (HEIGHT - 12);
  const line = drain.points.map(([sequence, left], index) => (index === 0 ? `M${x(sequence)} ${y(left)}` : `H${x(sequence)}V${y(left)}`)).join("");
  return (
    <figure className="drain">
      <figcaption>
        {title} <strong>{format(drain.left)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${format(drain.left)} of ${format(drain.top)}`}>
        <path className="drain-area" d={`${line}H${WIDTH}V${HEIGHT}H0Z`} />
        <path className="drain-line" d={`${line}H${WIDTH}`} />
      </svg>
      <span className="muted small">
        {format(drain.top - drain.left)} spent of {format(drain.top)}
        {drain.floor > 0 && "; the axis does not start at zero"}
      </span>
    </figure>
  );
}
