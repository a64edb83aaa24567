/** The archive as a heat map: the best candidate of each cell, by two descriptors. */

import { useMemo } from "react";

import type { Cell } from "../../history";
import { words } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Empty } from "../../parts/states";
import { useQuery } from "../../shell/router";
import type { DescriptorAxis } from "../../wire/types";
import { few, fitness, nick, short } from "../logic/amounts";
import { archiveAxes, chosenTwo, widened } from "../logic/axes";
import { labelsOf } from "../logic/scale";
import { rampOf } from "../logic/ramp";
import type { PanelProps } from "../view";
import { archiveOf } from "../../history";
import { Choice } from "./Choice";

export function Archive({ view }: PanelProps) {
  const query = useQuery();
  const { moment, config } = view;
  const axes = useMemo(() => archiveAxes(config, moment.scores), [config, moment]);
  const names = axes.map(({ name }) => name);
  const two = chosenTwo(names, query.get("ax"), query.get("ay"));
  const [x, y] = [axes.find(({ name }) => name === two?.[0]), axes.find(({ name }) => name === two?.[1])];
  const options = names.map((name) => [name, words(name)] as const);
  const configured = (config?.archive?.descriptors.length ?? 0) > 0;
  return (
    <Panel
      name="archive"
      title="Archive"
      note={configured ? "The best candidate of each cell, as kept by the run." : "The best candidate of each cell. The run itself keeps no archive."}
      actions={
        two !== null && (
          <>
            <Choice label="Horizontal" value={two[0]} options={options} onChange={(ax) => query.set({ ax })} />
            <Choice label="Vertical" value={two[1]} options={options} onChange={(ay) => query.set({ ay })} />
          </>
        )
      }
    >
      {x === undefined || y === undefined || moment.scores.length === 0 ? (
        <Empty title={moment.scores.length === 0 ? "No scores yet." : "An archive needs two figures per score; these scores have fewer."} />
      ) : (
        <HeatMap view={view} x={x} y={y} />
      )}
    </Panel>
  );
}

function HeatMap({ view, x, y }: PanelProps & { x: DescriptorAxis; y: DescriptorAxis }) {
  const { moment } = view;
  const cells = useMemo(() => archiveOf(moment.scores.map(asKinds), [x, y]), [moment, x, y]);
  const ramp = rampOf(cells.map(({ best }) => best.total));
  const byPlace = new Map(cells.map((cell) => [cell.place.join(), cell]));
  const [upwards, rightwards] = [labelsOf(edges(y)), labelsOf(edges(x))];
  const rows = Array.from({ length: y.bins }, (_, row) => y.bins - 1 - row);
  const columns = Array.from({ length: x.bins }, (_, column) => column);
  return (
    <figure className="heat">
      <div className="heat-scroll">
        <table className="heat-table">
          <caption className="hidden">{`${words(y.name)} upwards, ${words(x.name)} to the right; the best fitness of each cell`}</caption>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row">
                  <Edge text={upwards[row]} seen={row % 2 === 0 || y.bins < 8} />
                </th>
                {columns.map((column) => {
                  const cell = byPlace.get(`${column},${row}`);
                  return <td key={column}>{cell !== undefined && <HeatCell view={view} cell={cell} level={ramp(cell.best.total)} />}</td>;
                })}
              </tr>
            ))}
            <tr>
              <td className="heat-corner" />
              {columns.map((column) => (
                <th scope="col" key={column}>
                  <Edge text={rightwards[column]} seen={column % 2 === 0 || x.bins < 8} />
                </th>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <figcaption className="heat-legend">
        <span>
          ↑ {words(y.name)}, → {words(x.name)}
        </span>
        <span data-value="archive_cells" data-raw={cells.length}>
          {cells.length} of {x.bins * y.bins} cells occupied
        </span>
        <Legend low={ramp.low} high={ramp.high} />
      </figcaption>
    </figure>
  );
}

/** The start of a bin; hidden where there is no space for the text. */
function Edge({ text, seen }: { text: string | undefined; seen: boolean }) {
  return <span className={seen ? undefined : "hidden"}>{text}</span>;
}

const asKinds = (score: Parameters<typeof widened>[0]) => ({ ...score, descriptor: { ...score.components, ...score.descriptor } });
const edges = ({ low, high, bins }: DescriptorAxis) => Array.from({ length: bins }, (_, bin) => low + ((high - low) * bin) / bins);

function HeatCell({ view, cell, level }: PanelProps & { cell: Cell; level: number }) {
  const { best, count } = cell;
  const shown = few(best.total);
  const said = `${shown}: best ${fitness(best.total)} by ${nick(best.candidateId)}, of ${count}`;
  return (
    <button
      type="button"
      className="heat-cell"
      data-level={level}
      aria-label={said}
      title={said}
      aria-pressed={view.selected === best.candidateId}
      onClick={() => view.select(best.candidateId)}
    >
      {shown}
    </button>
  );
}

function Legend({ low, high }: { low: number; high: number }) {
  return (
    <span className="heat-scale" role="img" aria-label={`from ${fitness(low)} (low) to ${fitness(high)} (high)`}>
      {short(low)}
      {[0, 1, 2, 3, 4].map((level) => (
        <i key={level} data-level={level} />
      ))}
      {short(high)}
    </span>
  );
}
