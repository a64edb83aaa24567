/** The chart of fitness. It is loaded on demand, so that the chart library does not delay the first page. */

import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { useTheme } from "../../shell/theme";
import { fitness, short } from "../logic/amounts";
import type { Across, FitnessColumns } from "../logic/series";

interface FitnessChartProps {
  readonly columns: FitnessColumns;
  readonly across: Across;
  /** Positions of adoptions on the x axis. */
  readonly adoptions: readonly number[];
  /** The position of the shown moment on the x axis; the chart extends to it. */
  readonly end: number;
}

interface Marks {
  readonly adoptions: readonly number[];
  readonly end: number;
}

const HEIGHT = 300;
const LABELS: Readonly<Record<Across, string>> = { events: "Event", births: "Births", time: "Time" };

export default function FitnessChart({ columns, across, adoptions, end }: FitnessChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const marks = useRef<Marks>({ adoptions, end });
  const [theme] = useTheme();
  marks.current = { adoptions, end };

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const drawn = new uPlot(optionsOf(element, across, marks), dataOf(columns), element);
    chart.current = drawn;
    const watcher = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      drawn.destroy();
      chart.current = null;
    };
    // The second effect updates the data; only a new theme or axis needs a new chart.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [theme, across]);
  useEffect(() => chart.current?.setData(dataOf(columns)), [columns]);
  return <div className="fitness-chart" ref={box} aria-hidden="true" />;
}

const dataOf = ({ x, best, mean, total }: FitnessColumns): uPlot.AlignedData => [
  [...x],
  [...best],
  [...mean],
  [...total],
];

function optionsOf(element: HTMLElement, across: Across, marks: { readonly current: Marks }): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const said = (_: uPlot, value: number | null) => fitness(value);
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: `14px ${style.fontFamily}`,
  };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [12, 12, 0, 0],
    scales: { x: { time: across === "time", range: (_, low, high) => [low, Math.max(high, marks.current.end, low + 1)] } },
    legend: { live: true },
    cursor: { y: false, points: { size: 9 } },
    axes: [
      { ...axis, ...(across === "time" ? {} : { values: (_: uPlot, values: number[]) => values.map(short) }) },
      { ...axis, size: 64, values: (_: uPlot, values: number[]) => values.map(short) },
    ],
    series: [
      { label: LABELS[across] },
      { label: "Best", stroke: colour("--series-1"), width: 3, value: said, ...(stepped === undefined ? {} : { paths: stepped }), points: { show: false } },
      { label: "Mean of 20", stroke: colour("--series-2"), width: 2, dash: [8, 5], value: said, points: { show: false } },
      { label: "Scored", stroke: colour("--muted"), value: said, paths: () => null, points: { show: true, size: 5, width: 1.5 } },
    ],
    hooks: { draw: [(drawn) => drawAdoptions(drawn, marks.current.adoptions, colour("--good"))] },
  };
}

/** A line with a star at each adoption. */
function drawAdoptions(chart: uPlot, places: readonly number[], colour: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 2;
  ctx.setLineDash([2, 4]);
  ctx.font = `${16 * devicePixelRatio}px sans-serif`;
  ctx.textAlign = "center";
  for (const place of places) {
    const x = chart.valToPos(place, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + 16 * devicePixelRatio);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText("★", x, bbox.top + 12 * devicePixelRatio);
  }
  ctx.restore();
}
