/** The lineage: cards for few genomes, an overview for many, and a table as an alternative. */

import { type ReactElement, Suspense, useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { lazily } from "../../parts/lazily";
import { Ancestors } from "./Ancestors";
import { rowsFor } from "./flow/plan";
import type { GraphProps } from "./graph";
import { Layout } from "./layout";
import { Legend } from "./Legend";
import { NodesTable } from "./NodesTable";
import { familyWithin, type Scene, sceneOf } from "./scene";
import type { LineageProps } from "./types";
import "./lineage.css";
import "./cards.css";

const Flow = lazily(() => import("./flow/Flow"));
const Overview = lazily(() => import("./overview/Overview"));

/** More cards than this are neither legible nor smooth. */
export const MOST_CARDS = 500;
const PHONE = "(max-width: 40rem)";

/** The maximum number of cards, and the maximum ratio of width to height of their layout. */
interface Room {
  readonly cards: number;
  readonly ratio: number;
}

const ROOM: Room = { cards: MOST_CARDS, ratio: 2.2 };
const ROOM_ON_A_PHONE: Room = { cards: 120, ratio: 0.7 };

type Form = "graph" | "table";

export function Lineage(props: LineageProps): ReactElement {
  const { nodes, selected, onSelect, painter, follow = true, columnName = "generation" } = props;
  const [form, setForm] = useState<Form>("graph");
  const [familyOnly, setFamilyOnly] = useState(false);
  const [visible, setVisible] = useState(0);
  const ready = useReady();
  const room = usePhone() ? ROOM_ON_A_PHONE : ROOM;
  const whole = useScene(nodes, room);
  const centre = props.focus ?? (familyOnly ? selected : null);
  const scene = useFamily(whole, centre, room);
  const cards = scene.nodes.length <= room.cards;
  const shared: GraphProps = { scene, selected, follow, columnName, painter, onSelect, onReady: ready.tell, onVisible: setVisible };
  return (
    <div className="lineage" data-panel="lineage" data-ready={ready.by !== null} data-drawn-by={ready.by ?? undefined}>
      <div className="lineage-head">
        <Figures scene={scene} visible={visible} />
        <label className="lineage-check">
          <input type="checkbox" checked={familyOnly} disabled={selected === null} onChange={(event) => setFamilyOnly(event.target.checked)} />
          {selected === null ? "only relatives (select a genome first)" : "only relatives of the selected genome"}
        </label>
        <FormChoice form={form} onForm={setForm} />
      </div>
      {scene.nodes.length === 0 ? (
        <p className="lineage-empty">No genomes yet. Founders appear here once the run has created them.</p>
      ) : (
        <div className="lineage-body">
          <div className="lineage-main">
            <Suspense fallback={<p className="lineage-empty">Drawing the lineage…</p>}>
              {form === "table" ? <NodesTable {...shared} /> : cards ? <Flow {...shared} /> : <Overview {...shared} />}
            </Suspense>
            <Legend nodes={scene.nodes} withOperators={cards} />
          </div>
          {selected !== null && <Ancestors scene={whole} id={selected} onSelect={onSelect} />}
        </div>
      )}
    </div>
  );
}

/** Whether the lineage is interactive, and which renderer draws it; also recorded as performance marks. */
function useReady() {
  const [by, setBy] = useState<string | null>(null);
  useState(() => performance.mark("lineage:begin"));
  const tell = useCallback((painter: string) => {
    setBy((before) => {
      if (before === null) performance.measure("lineage:interactive", "lineage:begin");
      return painter;
    });
  }, []);
  return { by, tell };
}

function usePhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const phone = globalThis.matchMedia(PHONE);
      phone.addEventListener("change", changed);
      return () => phone.removeEventListener("change", changed);
    },
    () => globalThis.matchMedia(PHONE).matches,
  );
}

/** The scene of all genomes; known genomes keep their places. */
function useScene(nodes: LineageProps["nodes"], room: Room): Scene {
  const layouts = useRef<Layouts>(new Map());
  return useMemo(() => arranged(nodes, layouts.current, room), [nodes, room]);
}

/** The scene of one genome's relatives in a compact layout; the whole scene if `centre` is null. */
function useFamily(whole: Scene, centre: string | null, room: Room): Scene {
  const kept = useRef<{ centre: string; layouts: Layouts } | null>(null);
  return useMemo(() => {
    const index = centre === null ? undefined : whole.indexOf(centre);
    if (centre === null || index === undefined) return whole;
    if (kept.current?.centre !== centre) kept.current = { centre, layouts: new Map() };
    return arranged(familyWithin(whole, index, MOST_CARDS), kept.current.layouts, room);
  }, [whole, centre, room]);
}

/** The layouts of one run, by maximum number of lanes per column. */
type Layouts = Map<number, Layout>;

/** Arrange the nodes: cards in wrapped columns; the overview handles columns of any height itself. */
function arranged(nodes: LineageProps["nodes"], layouts: Layouts, room: Room): Scene {
  const rows = nodes.length <= room.cards ? rowsFor(nodes, room.ratio) : Number.POSITIVE_INFINITY;
  const layout = layouts.get(rows) ?? new Layout(rows);
  layouts.set(rows, layout);
  return sceneOf(nodes, layout);
}

interface FiguresProps {
  readonly scene: Scene;
  readonly visible: number;
}

function Figures({ scene, visible }: FiguresProps): ReactElement {
  const figures: readonly (readonly [string, string, number])[] = [
    ["nodes", "genomes", scene.nodes.length],
    ["edges", "parent links", scene.edges.length / 2],
    ["visible", "in view", Math.min(visible, scene.nodes.length)],
  ];
  return (
    <p className="lineage-figures">
      {figures.map(([name, title, count]) => (
        <span key={name}>
          <strong data-value={name} data-raw={count}>
            {count.toLocaleString("en")}
          </strong>{" "}
          {title}
        </span>
      ))}
    </p>
  );
}

interface FormChoiceProps {
  readonly form: Form;
  readonly onForm: (form: Form) => void;
}

function FormChoice({ form, onForm }: FormChoiceProps): ReactElement {
  const forms: readonly (readonly [Form, string])[] = [
    ["graph", "as a graph"],
    ["table", "as a table"],
  ];
  return (
    <div className="lineage-forms" role="group" aria-label="Show the lineage">
      {forms.map(([name, title]) => (
        <button key={name} type="button" aria-pressed={form === name} onClick={() => onForm(name)}>
          {title}
        </button>
      ))}
    </div>
  );
}
