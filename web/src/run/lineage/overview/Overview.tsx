/** Any number of nodes on one canvas, with the same keys as the cards and a tooltip. */

import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { figure, spoken, words } from "../kinds";
import { type Palette, usePalette } from "../palette";
import { type Domain, domainOf } from "../scale";
import type { Scene } from "../scene";
import type { GraphProps } from "../graph";
import { directionOf, startOf, stepFrom } from "../walk";
import { drawingOf } from "./drawing";
import { handle } from "./pointer";
import { Stage } from "./stage";
import type { Point } from "./stand";

interface Hover {
  readonly id: string;
  readonly at: Point;
}

export default function Overview(props: GraphProps): ReactElement {
  const { scene, selected, columnName } = props;
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const palette = usePalette(host);
  const stage = useStage(host, props, setHover);
  const domain = useMemo(() => domainOf(scene.nodes), [scene]);
  useShown(stage, props, palette, domain);
  useEffect(() => {
    const indexOf = (id: string | null | undefined) => (id == null ? undefined : scene.indexOf(id));
    stage?.mark({ selected: indexOf(selected), hovered: indexOf(hover?.id), cursor: indexOf(cursor) });
  }, [stage, scene, selected, hover, cursor]);
  const at = nodeOf(scene, cursor);
  return (
    <div className="lineage-stage">
      <div
        ref={setHost}
        className="lineage-canvas"
        role="application"
        aria-label={`Lineage of ${scene.nodes.length} genomes, drawn. Arrow keys move between genomes, Enter selects, plus and minus zoom, 0 fits all.`}
        tabIndex={0}
        data-hovered={hover?.id}
        onFocus={() => setCursor((before) => before ?? selected ?? scene.nodes[startOf(scene) ?? -1]?.id ?? null)}
        onBlur={() => setCursor(null)}
        onKeyDown={(event) => stage !== null && walk(event, stage, props, cursor, setCursor)}
      />
      <div className="lineage-buttons">
        <button type="button" onClick={() => stage?.zoom(1.5)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => stage?.zoom(1 / 1.5)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => stage?.fit()}>
          Fit
        </button>
      </div>
      {hover !== null && <Tooltip hover={hover} scene={scene} columnName={columnName} host={host} />}
      <div className="lineage-hidden" aria-live="polite">
        {at === undefined ? "" : spoken(at, columnName)}
      </div>
    </div>
  );
}

function nodeOf(scene: Scene, id: string | null) {
  const index = id === null ? undefined : scene.indexOf(id);
  return index === undefined ? undefined : scene.nodes[index];
}

/** The stage in `host`; its callbacks use the latest props. */
function useStage(host: HTMLDivElement | null, props: GraphProps, setHover: (hover: Hover | null) => void): Stage | null {
  const [stage, setStage] = useState<Stage | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { columnName, painter } = props;
  useEffect(() => {
    if (host === null) return;
    const idOf = (index: number | undefined) => (index === undefined ? undefined : latest.current.scene.nodes[index]?.id);
    const told = {
      ready: (by: string) => latest.current.onReady(by),
      seen: (count: number) => latest.current.onVisible(count),
      hovered: (index: number | undefined, at: Point) => {
        const id = idOf(index);
        setHover(id === undefined ? null : { id, at });
      },
      picked: (index: number) => {
        const id = idOf(index);
        if (id !== undefined) latest.current.onSelect(id);
      },
    };
    const made = new Stage(host, told, columnName, painter);
    const release = handle(host, made);
    const watcher = new ResizeObserver(() => made.resize());
    watcher.observe(host);
    setStage(made);
    return () => {
      watcher.disconnect();
      release();
      made.destroy();
    };
  }, [host, columnName, painter, setHover]);
  return stage;
}

function useShown(stage: Stage | null, props: GraphProps, palette: Palette | null, domain: Domain | null): void {
  const { scene, selected, follow } = props;
  useEffect(() => {
    if (stage !== null && palette !== null) stage.show(drawingOf(scene, palette, domain, selected), follow);
  }, [stage, scene, selected, palette, domain, follow]);
}

const PAN = 60;

function walk(
  event: KeyboardEvent,
  stage: Stage,
  { scene, onSelect }: GraphProps,
  cursor: string | null,
  setCursor: (id: string | null) => void,
): void {
  const from = (cursor === null ? undefined : scene.indexOf(cursor)) ?? startOf(scene);
  const direction = directionOf(event.key);
  if (event.ctrlKey || event.metaKey || event.altKey || from === undefined) return;
  if (direction !== undefined && event.shiftKey) panBy(stage, event.key);
  else if (direction !== undefined) {
    const to = stepFrom(scene, from, direction);
    stage.reveal(to);
    setCursor(scene.nodes[to]?.id ?? null);
  } else if (event.key === "Enter" || event.key === " ") onSelect(scene.nodes[from]?.id ?? "");
  else if (event.key === "+" || event.key === "=") stage.zoom(1.4, stage.standing(from));
  else if (event.key === "-") stage.zoom(1 / 1.4, stage.standing(from));
  else if (event.key === "0") stage.fit();
  else return;
  event.preventDefault();
}

function panBy(stage: Stage, key: string): void {
  const x = key === "ArrowLeft" ? PAN : key === "ArrowRight" ? -PAN : 0;
  const y = key === "ArrowUp" ? PAN : key === "ArrowDown" ? -PAN : 0;
  stage.pan(x, y);
}

interface TooltipProps {
  readonly hover: Hover;
  readonly scene: Scene;
  readonly columnName: string;
  readonly host: HTMLElement | null;
}

function Tooltip({ hover, scene, columnName, host }: TooltipProps): ReactElement | null {
  const node = nodeOf(scene, hover.id);
  if (node === undefined) return null;
  const right = hover.at.x > (host?.clientWidth ?? 0) - 260;
  const low = hover.at.y > (host?.clientHeight ?? 0) - 140;
  const side = right ? "calc(-100% - 14px)" : "14px";
  const style = { left: hover.at.x, top: hover.at.y, transform: `translate(${side}, ${low ? "calc(-100% - 10px)" : "14px"})` };
  return (
    <div className="lineage-tooltip" role="tooltip" style={style}>
      <strong>{node.label}</strong>
      {node.final && <span className="lineage-badge">winner</span>}
      {node.champion && <span className="lineage-badge">champion</span>}
      <dl>
        <dt>status</dt>
        <dd>{words(node.status)}</dd>
        <dt>fitness</dt>
        <dd>{node.fitness === null ? "none yet" : figure(node.fitness)}</dd>
        <dt>made by</dt>
        <dd>{node.operator === null ? "founder" : words(node.operator)}</dd>
        <dt>{columnName}</dt>
        <dd>{node.column}</dd>
      </dl>
    </div>
  );
}
