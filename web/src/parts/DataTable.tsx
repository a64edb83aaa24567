/** A sortable table in its own scroll box. Rows open by mouse and keyboard; on a phone each row is a card. */

import { useMemo, useState } from "react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";

export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The sort key; a column without it cannot be sorted. */
  readonly by?: (row: Row) => number | string | null;
  readonly numeric?: boolean;
  /** The cell is the row's header. */
  readonly head?: boolean;
  /** On a card the cell takes the full width. */
  readonly wide?: boolean;
}

export interface Sort {
  readonly column: string;
  readonly down: boolean;
}

/** Parse a sort from a URL: `-fitness` sorts from high to low. */
export function sortFrom(text: string): Sort | null {
  if (text === "") return null;
  return text.startsWith("-") ? { column: text.slice(1), down: true } : { column: text, down: false };
}

export function sortText(sort: Sort | null): string {
  return sort === null ? "" : `${sort.down ? "-" : ""}${sort.column}`;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** With `onSort`, the parent component keeps the sort, for instance in the URL. */
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  /** The rows are already sorted; clicking a header only calls `onSort`. */
  sorted?: boolean;
  /** Opens a row by click, Enter or Space. */
  onOpen?: (row: Row) => void;
  selected?: string | null;
  empty?: ReactNode;
  /** Maximum number of rows shown initially, and added by each click on “Show more”. */
  most?: number;
  /** Keeps rows as rows on a phone; for many short rows. */
  dense?: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, onOpen, selected, empty, most = 200, dense = false } = props;
  const [own, setOwn] = useState<Sort | null>(null);
  const [shown, setShown] = useState(most);
  const sort = props.sort === undefined ? own : props.sort;
  const ordered = useMemo(
    () => (props.sorted === true ? rows : inOrder(rows, columns, sort)),
    [rows, columns, sort, props.sorted],
  );
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label={caption}>
      <table className={dense ? "table" : "table table-cards"}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={props.onSort ?? setOwn} />
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, shown).map((row) => (
            <BodyRow key={keyOf(row)} row={row} columns={columns} selected={keyOf(row) === selected} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
      {ordered.length > shown && (
        <button type="button" className="button button-quiet table-more" onClick={() => setShown(shown + most)}>
          Show {Math.min(most, ordered.length - shown)} more of {ordered.length.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const className = column.numeric === true ? "numeric" : undefined;
  if (column.by === undefined) {
    return (
      <th scope="col" className={className}>
        {column.title}
      </th>
    );
  }
  const current = sort?.column === column.name ? sort : null;
  const next = { column: column.name, down: current === null ? column.numeric === true : !current.down };
  return (
    <th scope="col" className={className} aria-sort={current === null ? "none" : current.down ? "descending" : "ascending"}>
      <button type="button" className="table-sort" onClick={() => onSort(next)}>
        {column.title}
        <span aria-hidden="true">{current === null ? "↕" : current.down ? "↓" : "↑"}</span>
      </button>
    </th>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  selected: boolean;
  onOpen: ((row: Row) => void) | undefined;
}

function BodyRow<Row>({ row, columns, selected, onOpen }: BodyRowProps<Row>) {
  const opens = onOpen === undefined ? {} : opening(() => onOpen(row));
  return (
    <tr aria-current={selected || undefined} {...opens}>
      {columns.map((column) => {
        const Cell = column.head === true ? "th" : "td";
        return (
          <Cell key={column.name} scope={column.head === true ? "row" : undefined} className={classOf(column)} data-label={column.title}>
            {column.cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}

function classOf<Row>({ numeric, wide }: Column<Row>): string | undefined {
  const names = [numeric === true ? "numeric" : "", wide === true ? "wide" : ""].filter(Boolean);
  return names.length === 0 ? undefined : names.join(" ");
}

/** Event handlers that open a row; links and controls within it keep their own behaviour. */
function opening(open: () => void) {
  const within = (target: EventTarget) => target instanceof Element && target.closest("a, button, input, label, select");
  return {
    tabIndex: 0,
    className: "opens",
    onClick: (event: MouseEvent) => {
      if (!within(event.target)) open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target === event.currentTarget && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        open();
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") moveFocus(event);
    },
  };
}

function moveFocus(event: KeyboardEvent): void {
  const row = event.currentTarget;
  const next = event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling;
  if (!(next instanceof HTMLElement) || event.target !== row) return;
  event.preventDefault();
  next.focus();
}

function inOrder<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): readonly Row[] {
  const by = columns.find((column) => column.name === sort?.column)?.by;
  if (sort === null || by === undefined) return rows;
  return [...rows].sort((one, other) => compare(by(one), by(other), sort.down));
}

/** Compare two sort keys; missing values come last in either direction. */
function compare(one: number | string | null, other: number | string | null, down: boolean): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  const order = typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  return down ? -order : order;
}
