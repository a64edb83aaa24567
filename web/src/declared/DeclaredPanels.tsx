/** The panels that a run's domain declares, rendered with the page's own parts. Every value is rendered as text. */

import { Code, DataTable, Figure, Figures, Panel, Shape } from "../parts";
import { Boundary } from "../shell/Boundary";
import { get } from "../wire/client";
import type { DomainInfo, Json, JsonObject } from "../wire/types";
import { useLoaded } from "../wire/useLoaded";
import { Bars } from "./Bars";
import type { DeclaredPanel, Part, PartOf, ShownFigure } from "./types";
import { filled, raw, rowsAt, valueAt, written } from "./values";
import "./declared.css";

interface DeclaredPanelsProps {
  /** As the server describes it; null if the domain is not installed. */
  readonly domain: DomainInfo | null;
  readonly place: DeclaredPanel["place"];
  /** The root object of the paths in the panels. */
  readonly values: JsonObject;
  readonly runId: string;
  /** The id of an opened file, or null. The domain's own routes have no data on runs from files. */
  readonly file: string | null;
  /** How often a panel's source is polled, in milliseconds. */
  readonly every?: number;
}

export function DeclaredPanels({ domain, place, ...shown }: DeclaredPanelsProps) {
  if (domain === null) return null;
  return domain.panels
    .filter((panel) => panel.place === place)
    .map((panel) => (
      <Boundary key={panel.name}>
        {panel.source === null || shown.file !== null ? (
          <Drawn panel={panel} values={shown.values} />
        ) : (
          <Sourced {...shown} panel={panel} path={pathOf(domain.name, panel.source, shown.runId)} />
        )}
      </Boundary>
    ));
}

function pathOf(domain: string, source: string, runId: string): string {
  return `/api/domains/${encodeURIComponent(domain)}/${source.replaceAll("{run_id}", encodeURIComponent(runId))}`;
}

interface SourcedProps extends Pick<DeclaredPanelsProps, "values" | "every"> {
  readonly panel: DeclaredPanel;
  readonly path: string;
}

/** A panel with additional values from a route of its domain. */
function Sourced({ panel, path, values, every }: SourcedProps) {
  const asked = useLoaded(path, (signal) => get<Json>(path, { signal }), every === undefined ? {} : { every });
  const known = asked.data === null ? values : { ...values, answer: asked.data };
  return <Drawn panel={panel} values={known} problem={asked.problem?.title} />;
}

interface DrawnProps {
  readonly panel: DeclaredPanel;
  readonly values: JsonObject;
  readonly problem?: string | undefined;
}

function Drawn({ panel, values, problem }: DrawnProps) {
  if (panel.when !== null && valueAt(values, panel.when) === undefined) return null;
  const note = panel.note === null ? {} : { note: filled(panel.note, values) };
  return (
    <Panel name={panel.name} title={filled(panel.title, values)} {...note}>
      <div className="stack">
        {problem !== undefined && <p className="muted small">Some data of this panel could not be loaded: {problem}.</p>}
        {panel.parts.map((part, index) => (
          <Shown key={index} part={part} values={values} />
        ))}
      </div>
    </Panel>
  );
}

function Shown({ part, values }: { part: Part; values: JsonObject }) {
  switch (part.part) {
    case "figures":
      return (
        <Figures>
          {part.figures.map((figure) => (
            <OneFigure key={figure.name} figure={figure} values={values} />
          ))}
        </Figures>
      );
    case "headline":
      return <Headline figure={part.figure} values={values} />;
    case "table":
      return <Rows part={part} values={values} />;
    case "bars":
      return <Bars part={part} values={values} />;
    case "text":
      return <Text part={part} values={values} />;
    case "status":
      return <StatusLine part={part} values={values} />;
    default:
      return null; // a newer server may have more kinds of parts than this page
  }
}

function OneFigure({ figure, values }: { figure: ShownFigure; values: JsonObject }) {
  const value = valueAt(values, figure.value);
  const interval = intervalText(figure, values);
  return (
    <Figure label={filled(figure.label, values)} name={figure.name} raw={raw(value)} {...(interval === null ? {} : { note: interval })}>
      <bdi>{written(value, figure.format)}</bdi>
    </Figure>
  );
}

/** The bounds of a figure's interval as text; null if it has none. */
function intervalText({ low, high, format }: ShownFigure, values: JsonObject): string | null {
  if (low === null && high === null) return null;
  const [from, to] = [low, high].map((path) => written(path === null ? undefined : valueAt(values, path), format));
  return `${from} to ${to}`;
}

function Headline({ figure, values }: { figure: ShownFigure; values: JsonObject }) {
  const value = valueAt(values, figure.value);
  const interval = intervalText(figure, values);
  return (
    <p className="declared-headline">
      <strong data-value={figure.name} data-raw={raw(value)}>
        <bdi>{written(value, figure.format)}</bdi>
      </strong>{" "}
      {filled(figure.label, values)} {interval !== null && <span className="muted">({interval})</span>}
    </p>
  );
}

function Rows({ part, values }: { part: PartOf<"table">; values: JsonObject }) {
  const rows = rowsAt(values, part.rows).map((row, index) => ({ row, key: String(index) }));
  const columns = part.columns.map(({ title, value, format }, index) => ({
    name: String(index),
    title: filled(title, values),
    numeric: format !== "text",
    by: ({ row }: { row: Json }) => sortable(valueAt(row, value)),
    cell: ({ row }: { row: Json }) => <bdi>{written(valueAt(row, value), format)}</bdi>,
  }));
  return (
    <div data-table={part.name}>
      <DataTable dense caption={filled(part.caption, values)} columns={columns} rows={rows} keyOf={({ key }) => key} empty={<p className="muted">–</p>} />
    </div>
  );
}

function sortable(value: Json | undefined): number | string | null {
  return typeof value === "number" || typeof value === "string" ? value : null;
}

const MOST_SOURCE = 200_000;

function Text({ part, values }: { part: PartOf<"text">; values: JsonObject }) {
  const value = valueAt(values, part.value);
  const label = filled(part.label, values);
  return (
    <div data-text={part.name}>
      <p className="muted small">{label}</p>
      {typeof value === "string" ? (
        <Code source={value.slice(0, MOST_SOURCE)} label={label} {...(part.language === null ? {} : { language: part.language })} />
      ) : (
        <p>–</p>
      )}
    </div>
  );
}

function StatusLine({ part, values }: { part: PartOf<"status">; values: JsonObject }) {
  const value = valueAt(values, part.value);
  const tone = value === true ? "good" : value === false ? "bad" : "idle";
  return (
    <p className={`status declared-status status-${tone}`} data-value={part.name} data-raw={raw(value) ?? ""}>
      <Shape shape={value === true ? "check" : value === false ? "cross" : "dash"} />
      {typeof value === "boolean" ? filled(value ? part.yes : part.no, values) : "–"}
    </p>
  );
}
