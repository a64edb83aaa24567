/** Best-so-far curves in one chart. Each has its own colour and dashes, and is named beside both. */

import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { Empty, Hidden, amount, short, usePalette } from "../../parts";
import type { Palette } from "../../parts";
import { aligned, curveOf, OVERS, secondsOf } from "./curves";
import type { Curve, Over } from "./curves";
import { labelsOf } from "./labels";
import { dashOf, Swatch } from "./Swatch";
import type { Compared } from "./useCompared";

const HEIGHT = 340;

export default function CurveChart({ runs, over }: { runs: readonly Compared[]; over: Over }) {
  const curves = useMemo(() => runs.map((each) => curve(each, over)), [runs, over]);
  if (curves.every(({ points }) => points.length === 0)) {
    return <Empty title="No curve yet">None of these runs has scored a candidate.</Empty>;
  }
  return (
    <figure className="stack">
      <Chart curves={curves} over={over} names={labelsOf(runs.map(({ run }) => run))} />
      <figcaption>
        <ul className="compare-legend">
          {runs.map(({ run }, place) => (
            <li key={run.run_id}>
              <Swatch place={place} /> {labelsOf(runs.map((each) => each.run))[place]}
            </li>
          ))}
        </ul>
      </figcaption>
      <Hidden>
        <Table runs={runs} curves={curves} over={over} />
      </Hidden>
    </figure>
  );
}

function curve({ run, improvements }: Compared, over: Over): Curve {
  const ends = { evaluations: run.scored, energy: run.energy_spent, time: secondsOf(run) ?? 0 };
  return curveOf(run.run_id, improvements, over, ends[over]);
}

function Table({ runs, curves, over }: { runs: readonly Compared[]; curves: readonly Curve[]; over: Over }) {
  return (
    <table>
      <caption>Best so far over {OVERS[over]}: where each run ended</caption>
      <tbody>
        {runs.map(({ run }, place) => {
          const last = curves[place]?.points.at(-1);
          return (
            <tr key={run.run_id}>
              <th scope="row">{run.problem ?? short(run.run_id)}</th>
              <td>{last === undefined ? "no score" : `${amount(last[1])} at ${amount(last[0])}`}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Chart({ curves, over, names }: { curves: readonly Curve[]; over: Over; names: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const colours = usePalette();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const plot = new uPlot(options(element.clientWidth, over, names, colours), aligned(curves) as uPlot.AlignedData, element);
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [curves, over, names.join("\n"), colours]);
  return <div ref={box} className="compare-chart" role="img" aria-label={`Best so far of ${curves.length} runs over ${OVERS[over]}`} />;
}

function options(width: number, over: Over, names: readonly string[], colours: Palette): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: colours.muted,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line },
    font: "14px system-ui, sans-serif",
    labelFont: "14px system-ui, sans-serif",
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { points: { size: 8 } },
    scales: { x: { time: false } },
    axes: [
      { ...axis, label: OVERS[over], labelSize: 24 },
      { ...axis, label: "fitness", labelSize: 24, size: 64 },
    ],
    series: [
      { label: OVERS[over] },
      ...names.map((label, place) => ({
        label,
        stroke: colours.series[place % colours.series.length] ?? colours.text,
        width: 2.5,
        dash: dashOf(place),
        paths: uPlot.paths.stepped?.({ align: 1 }) ?? null,
        points: { show: false },
        spanGaps: false,
      })),
    ] as uPlot.Series[],
  };
}
