/** Two figures of every score against each other, with the Pareto front. */

import { useMemo } from "react";
import type { KeyboardEvent } from "react";

import { domainPage } from "../../domains";
import { paretoFront } from "../../history";
import type { Score } from "../../history";
import { amount, words } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Empty } from "../../parts/states";
import { useQuery } from "../../shell/router";
import { useWidth } from "../hooks/useWidth";
import { nick } from "../logic/amounts";
import { chosenTwo, figureNames, widened } from "../logic/axes";
import { labelsOf, scaleOf } from "../logic/scale";
import type { Scale } from "../logic/scale";
import { drawnPoints } from "../logic/thin";
import type { PanelProps } from "../view";
import { Choice } from "./Choice";

const [HEIGHT, LEFT, BELOW, TOP] = [340, 76, 40, 32];
const MOST_DOTS = 1_500;

export function Pareto({ view }: PanelProps) {
  const query = useQuery();
  const { moment } = view;
  const scores = useMemo(() => moment.scores.map(widened), [moment]);
  const names = useMemo(() => figureNames(moment.scores), [moment]);
  const two = chosenTwo(names, query.get("px"), query.get("py"));
  const least = (name: string, said: string | null) => (said === null ? lessIsBetter(view, name) : said === "1");
  const [lessAcross, lessUp] = [least(two?.[0] ?? "", query.get("pxmin")), least(two?.[1] ?? "", query.get("pymin"))];
  const options = names.map((name) => [name, words(name)] as const);
  return (
    <Panel
      name="pareto"
      title="Pareto front"
      note="Diamonds are on the front: no other candidate is at least as good in both figures and better in one."
      actions={
        two !== null && (
          <>
            <Choice label="Horizontal" value={two[0]} options={options} onChange={(px) => query.set({ px })} />
            <Turn name="pxmin" axis="across" least={lessAcross} />
            <Choice label="Vertical" value={two[1]} options={options} onChange={(py) => query.set({ py })} />
            <Turn name="pymin" axis="up" least={lessUp} />
          </>
        )
      }
    >
      {scores.length === 0 && <Empty title="No scores yet." />}
      {scores.length > 0 && two === null && <Empty title="A front needs two figures per score; these scores have fewer." />}
      {scores.length > 0 && two !== null && (
        <Front view={view} scores={scores} names={two} least={[lessAcross, lessUp]} />
      )}
    </Panel>
  );
}

/** Score components are better when higher; for behaviour figures the domain specifies the direction. */
function lessIsBetter(view: PanelProps["view"], name: string): boolean {
  const weighed = view.moment.scores.some(({ components }) => name in components);
  return !weighed && (domainPage(view.moment.run.domain).lessIsBetter ?? []).includes(name);
}

function Turn({ name, axis, least }: { name: string; axis: string; least: boolean }) {
  const query = useQuery();
  return (
    <button
      type="button"
      className="button run-turn"
      aria-pressed={least}
      title={axis === "up" ? "Direction of the vertical axis" : "Direction of the horizontal axis"}
      onClick={() => query.set({ [name]: least ? 0 : 1 })}
    >
      {least ? "lower is better" : "higher is better"}
    </button>
  );
}

interface FrontProps extends PanelProps {
  readonly scores: readonly Score[];
  readonly names: readonly [string, string];
  readonly least: readonly [boolean, boolean];
}

function Front({ view, scores, names, least }: FrontProps) {
  const [x, y] = names;
  const [lessX, lessY] = least;
  const both = useMemo(() => scores.filter(({ components }) => x in components && y in components), [scores, x, y]);
  const front = useMemo(
    () => paretoFront(both, [x, y], { [x]: lessX ? "min" : "max", [y]: lessY ? "min" : "max" }),
    [both, x, y, lessX, lessY],
  );
  const [box, width] = useWidth(560);
  const at = (score: Score, name: string) => score.components[name] as number;
  const [across, up] = [scaleOf(both.map((score) => at(score, x))), scaleOf(both.map((score) => at(score, y)))];
  const place = (score: Score) => ({
    x: LEFT + across.place(at(score, x)) * (width - LEFT - 12),
    y: HEIGHT - BELOW - up.place(at(score, y)) * (HEIGHT - BELOW - TOP),
  });
  const members = new Set(front.map(({ candidateId }) => candidateId));
  const others = both.filter(({ candidateId }) => !members.has(candidateId));
  const dots = drawnPoints(others.map((score) => at(score, y)), others.length, MOST_DOTS).map((index) => others[index] as Score);
  const line = [...front].sort((one, other) => at(one, x) - at(other, x));
  return (
    <>
      <svg ref={box} className="plot" viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="group" aria-label={`${words(y)} against ${words(x)}`}>
        <Axes across={across} up={up} names={names} width={width} />
        {dots.map((score) => (
          <circle key={score.candidateId} className="plot-dot" cx={place(score).x} cy={place(score).y} r={4} onClick={() => view.select(score.candidateId)}>
            <title>{said(score, names)}</title>
          </circle>
        ))}
        <polyline className="plot-front" points={line.map((score) => `${place(score).x},${place(score).y}`).join(" ")} />
        {line.map((score) => (
          <Member key={score.candidateId} view={view} score={score} names={names} at={place(score)} />
        ))}
      </svg>
      <p className="muted small">
        <span data-value="front_size" data-raw={front.length}>
          {front.length}
        </span>{" "}
        of {both.length} candidates are on the front.
      </p>
    </>
  );
}

const said = ({ candidateId, components }: Score, names: readonly string[]) =>
  `${nick(candidateId)}: ${names.map((name) => `${words(name)} ${amount(components[name], 3)}`).join(", ")}`;

interface MemberProps extends PanelProps {
  readonly score: Score;
  readonly names: readonly string[];
  readonly at: { readonly x: number; readonly y: number };
}

function Member({ view, score, names, at: { x, y } }: MemberProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    view.select(score.candidateId);
  };
  const chosen = view.selected === score.candidateId;
  return (
    <path
      className="plot-member"
      d={`M${x} ${y - 8}l7 8-7 8-7-8z`}
      tabIndex={0}
      role="button"
      aria-pressed={chosen}
      aria-label={`On the front: ${said(score, names)}`}
      onClick={() => view.select(score.candidateId)}
      onKeyDown={press}
    >
      <title>{said(score, names)}</title>
    </path>
  );
}

function Axes({ across, up, names, width }: { across: Scale; up: Scale; names: readonly [string, string]; width: number }) {
  const [right, bottom] = [width - 12, HEIGHT - BELOW];
  const [upwards, rightwards] = [labelsOf(up.marks), labelsOf(across.marks)];
  return (
    <g className="plot-axes" aria-hidden="true">
      {up.marks.map((mark, index) => {
        const y = bottom - up.place(mark) * (bottom - TOP);
        return (
          <g key={mark}>
            <line x1={LEFT} x2={right} y1={y} y2={y} />
            <text x={LEFT - 8} y={y + 5} textAnchor="end">
              {upwards[index]}
            </text>
          </g>
        );
      })}
      {across.marks.map((mark, index) => {
        const x = LEFT + across.place(mark) * (right - LEFT);
        return (
          <g key={mark}>
            <line x1={x} x2={x} y1={TOP} y2={bottom} />
            <text x={x} y={bottom + 18} textAnchor="middle">
              {rightwards[index]}
            </text>
          </g>
        );
      })}
      <text x={right} y={HEIGHT - 4} textAnchor="end" className="plot-name">
        {words(names[0])} →
      </text>
      <text x={4} y={18} className="plot-name">
        ↑ {words(names[1])}
      </text>
    </g>
  );
}
