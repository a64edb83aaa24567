/** Values with their intervals, on one scale. */

import type { CSSProperties } from "react";

import { scaleOf } from "../candidate/geometry";
import type { Json } from "../wire/types";
import type { PartOf } from "./types";
import { filled, numberAt, raw, rowsAt, valueAt, written } from "./values";

const MOST_ROWS = 200;

type Scale = ReturnType<typeof scaleOf>;

interface Row {
  readonly named: Json | undefined;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const at = (share: number): CSSProperties => ({ left: `${share * 100}%` });

export function Bars({ part, values }: { part: PartOf<"bars">; values: Json }) {
  const rows = rowsAt(values, part.rows).slice(0, MOST_ROWS).map((row) => rowOf(part, row));
  const scale = scaleFor(part, rows);
  return (
    <table className="declared-bars">
      <caption className="hidden">{filled(part.caption, values)}</caption>
      <thead>
        <tr>
          <th scope="col">{filled(part.label.title, values)}</th>
          <th scope="col">{filled(part.title, values)}</th>
          <th scope="col" aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Bar key={index} part={part} row={row} scale={scale} />
        ))}
      </tbody>
      {scale !== null && <Ticks part={part} scale={scale} />}
    </table>
  );
}

function rowOf(part: PartOf<"bars">, row: Json): Row {
  const [value, low, high] = [part.value, part.low, part.high].map((path) => numberAt(row, path));
  return { named: valueAt(row, part.label.value), value: value ?? null, low: low ?? null, high: high ?? null };
}

/** One scale for all rows; null if there are no numbers. */
function scaleFor(part: PartOf<"bars">, rows: readonly Row[]): Scale | null {
  const found = rows.flatMap(({ value, low, high }) => [value, low, high]).filter((each): each is number => each !== null);
  if (found.length === 0) return null;
  const all = part.reference === null ? found : [part.reference, ...found];
  return scaleOf(all, part.scale === "ratio" && all.every((value) => value > 0));
}

function Bar({ part, row, scale }: { part: PartOf<"bars">; row: Row; scale: Scale | null }) {
  const { named, value, low, high } = row;
  return (
    <tr>
      <th scope="row" className="numeric">
        <bdi>{written(named, part.label.format)}</bdi>
      </th>
      <td className="numeric">
        <strong data-value={`${part.name}-${raw(named) ?? ""}`} data-raw={raw(value)}>
          {written(value, part.format)}
        </strong>
        {(part.low !== null || part.high !== null) && (
          <span className="muted small declared-range">
            {written(low, part.format)} to {written(high, part.format)}
          </span>
        )}
      </td>
      <td className="declared-drawing" aria-hidden="true">
        {scale !== null && part.reference !== null && <span className="declared-one" style={at(scale.at(part.reference))} />}
        {scale !== null && value !== null && <Mark scale={scale} value={value} low={low ?? value} high={high ?? value} />}
      </td>
    </tr>
  );
}

function Mark({ scale, value, low, high }: { scale: Scale; value: number; low: number; high: number }) {
  const width = Math.max(0, scale.at(high) - scale.at(low));
  return (
    <>
      <span className="declared-bar" style={{ ...at(scale.at(low)), width: `${width * 100}%` }} />
      <span className="declared-mark" style={at(scale.at(value))} />
    </>
  );
}

function Ticks({ part, scale }: { part: PartOf<"bars">; scale: Scale }) {
  return (
    <tfoot aria-hidden="true">
      <tr>
        <td />
        <td />
        <td className="declared-ticks">
          {scale.ticks.map((tick) => (
            <span key={tick.value} style={at(tick.at)}>
              {written(tick.value, part.format)}
            </span>
          ))}
        </td>
      </tr>
    </tfoot>
  );
}
