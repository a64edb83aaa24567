/** Fitness over the run: the best so far, and the mean of the last scores. */

import { Suspense, useMemo } from "react";
import { lazily } from "../../parts/lazily";

import type { Moment } from "../../history";
import { absolute } from "../../parts/formatted";
import { Hidden } from "../../parts/controls";
import { Panel } from "../../parts/Panel";
import { Empty, Loading } from "../../parts/states";
import { useQuery } from "../../shell/router";
import { fitness, whole } from "../logic/amounts";
import { ACROSS, fitnessColumns } from "../logic/series";
import type { Across } from "../logic/series";
import type { PanelProps } from "../view";
import { Choice } from "./Choice";

const FitnessChart = lazily(() => import("./FitnessChart"));

const OPTIONS = [
  ["events", "events"],
  ["births", "births"],
  ["time", "time"],
] as const;

export function FitnessPanel({ view }: PanelProps) {
  const query = useQuery();
  const across = ACROSS.find((name) => name === query.get("x")) ?? "events";
  const { moment } = view;
  const columns = useMemo(() => fitnessColumns(moment, across), [moment, across]);
  const adoptions = useMemo(() => adoptionsAt(moment, across), [moment, across]);
  return (
    <Panel
      name="fitness"
      title="Fitness"
      note="A star marks an adoption."
      actions={<Choice label="Horizontal axis" value={across} options={OPTIONS} onChange={(x) => query.set({ x: x === "events" ? null : x })} />}
    >
      {columns.x.length === 0 ? (
        <Empty title="No scores yet." />
      ) : (
        <Suspense fallback={<Loading what="the chart" />}>
          <FitnessChart columns={columns} across={across} adoptions={adoptions} end={endOf(moment, across)} />
        </Suspense>
      )}
      <MainFigures moment={moment} />
    </Panel>
  );
}

function endOf(moment: Moment, across: Across): number {
  if (across === "time") return (moment.time ?? 0) / 1000;
  return across === "events" ? moment.sequence : moment.candidates.length;
}

function adoptionsAt(moment: Moment, across: Across): number[] {
  const adopted = moment.verdicts.filter(({ what }) => what === "adopted").map(({ sequence }) => sequence);
  if (across === "events") return adopted;
  if (across === "time") return adopted.map((sequence) => (moment.timeOf(sequence) ?? 0) / 1000);
  return adopted.map((sequence) => moment.candidates.filter(({ first }) => first <= sequence).length);
}

/** The chart's content for screen readers: each new best. */
function MainFigures({ moment }: { moment: Moment }) {
  const { length, sequence, best } = moment.scoreSeries;
  const rising = Array.from({ length }, (_, index) => index).filter((index) => index === 0 || best[index] !== best[index - 1]);
  return (
    <Hidden>
      <table>
        <caption>Improvements of the best fitness</caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">When</th>
            <th scope="col">Best fitness</th>
          </tr>
        </thead>
        <tbody>
          {rising.slice(-32).map((index) => (
            <tr key={index}>
              <td>{whole(sequence[index])}</td>
              <td>{absolute(moment.timeOf(sequence[index] ?? 0) ?? 0)}</td>
              <td>{fitness(best[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Hidden>
  );
}
