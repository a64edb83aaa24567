/** Best-so-far curves in one chart. Each has its own colour and dash pattern, both shown in the legend. */

import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { Empty, Hidden, amount, usePalette } from "../../parts";
import type { Palette } from "../../parts";
import { aligned, curveOf, OVERS, secondsOf } from "./curves";
import type { Curve, Over } from "./curves";
import { Label, labelsOf } from "./Label";
import type { RunLabel } from "./Label";
import { dashOf, Swatch } from "./Swatch";
import type { Compared } from "./useCompared";

const HEIGHT = 340;

export default function CurveChart({ runs, over }: { runs: readonly Compared[]; over: Over }) {
  const curves = useMemo(() => runs.map((each) => curve(each, over)), [runs, over]);
  if (curves.every(({ points }) => points.length === 0)) {
    return <Empty title="No curves yet">None of these runs has scored a candidate.</Empty>;
  }
  const labels = labelsOf(runs.map(({ run }) => run));
  return (
    <figure className="stack">
      <Chart curves={curves} over={over} />
      <figcaption>
        <ul className="compare-legend">
          {runs.map(({ run }, place) => (
            <li key={run.run_id}>
              <Swatch place={place} /> <Label of={labels[place]} />
            </li>
          ))}
        </ul>
      </figcaption>
      <Hidden>
        <Table labels={labels} curves={curves} over={over} />
      </Hidden>
    </figure>
  );
}

function curve({ run, improvements }: Compared, over: Over): Curve {
  const ends = { scored: run.scored, energy: run.energy_spent, time: secondsOf(run) ?? 0 };
  return curveOf(run.run_id, improvements, over, ends[over]);
}

function Table({ labels, curves, over }: { labels: readonly RunLabel[]; curves: readonly Curve[]; over: Over }) {
  return (
    <table>
      <caption>Best so far over {OVERS[over]}: the last value of each run</caption>
      <tbody>
        {curves.map(({ points, runId }, place) => {
          const last = points.at(-1);
          return (
            <tr key={runId}>
              <th scope="row">
                <Label of={labels[place]} />
              </th>
              <td>{last === undefined ? "no score" : `${amount(last[1])} at ${amount(last[0])}`}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Chart({ curves, over }: { curves: readonly Curve[]; over: Over }) {
  const box = useRef<HTMLDivElement>(null);
  const colours = usePalette();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const plot = new uPlot(options(element.clientWidth, over, curves.length, colours), aligned(curves) as uPlot.AlignedData, element);
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [curves, over, colours]);
  return <div ref={box} className="compare-chart" role="img" aria-label={`Best so far of ${curves.length} runs over ${OVERS[over]}`} />;
}

function options(width: number, over: Over, lines: number, colours: Palette): uPlot.Options {
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
      ...Array.from({ length: lines }, (_, place) => ({
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
