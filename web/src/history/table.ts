/** Rows of one table, stored by column, in the order of their first events. */

import type { Columns, Json, JsonObject } from "../wire/types";

export class Table {
  readonly keys: string[];
  readonly first: number[];
  readonly last: number[];
  /** The number of a row for each time it began or changed; an index over the rows resumes where it stopped reading. */
  readonly touched: number[];
  private readonly columns: Map<string, Json[]>;
  private index: Map<string, number> | null = null;

  constructor(told?: Columns) {
    const sorted: Own = told === undefined ? { key: [], first: [], last: [], values: {} } : inOrder(told);
    this.keys = sorted.key;
    this.first = sorted.first;
    this.last = sorted.last;
    this.columns = new Map(Object.entries(sorted.values));
    this.touched = this.keys.map((_, row) => row);
  }

  get length(): number {
    return this.keys.length;
  }

  /** The number of the row with this key, or -1. */
  find(key: string): number {
    this.index ??= new Map(this.keys.map((each, row) => [each, row]));
    return this.index.get(key) ?? -1;
  }

  /** Begin a row, or change some of its values. */
  apply(key: string, values: JsonObject, sequence: number): void {
    const known = this.find(key);
    const row = known >= 0 ? known : this.begin(key, sequence);
    for (const [name, value] of Object.entries(values)) this.column(name)[row] = value;
    this.last[row] = sequence;
    this.touched.push(row);
  }

  value(row: number, name: string): Json {
    return this.columns.get(name)?.[row] ?? null;
  }

  text(row: number, name: string): string | null {
    const value = this.value(row, name);
    return typeof value === "string" ? value : null;
  }

  number(row: number, name: string): number | null {
    const value = this.value(row, name);
    return typeof value === "number" ? value : null;
  }

  texts(row: number, name: string): readonly string[] {
    const value = this.value(row, name);
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** A value that is an object of numbers, by name. */
  numbers(row: number, name: string): Readonly<Record<string, number>> {
    const value = this.value(row, name);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, number>) : {};
  }

  private begin(key: string, sequence: number): number {
    const row = this.keys.length;
    this.keys.push(key);
    this.first.push(sequence);
    this.last.push(sequence);
    this.index?.set(key, row);
    return row;
  }

  private column(name: string): Json[] {
    let column = this.columns.get(name);
    if (column === undefined) {
      column = [];
      this.columns.set(name, column);
    }
    return column;
  }
}

/** Mutable columns, owned by the table. */
interface Own {
  readonly key: string[];
  readonly first: number[];
  readonly last: number[];
  readonly values: Readonly<Record<string, Json[]>>;
}

function inOrder(told: Columns): Own {
  const { first } = told;
  if (first.every((sequence, row) => row === 0 || (first[row - 1] as number) <= sequence)) return copied(told);
  const order = first.map((_, row) => row).sort((one, other) => (first[one] as number) - (first[other] as number));
  const pick = <T>(column: readonly T[]): T[] => order.map((row) => column[row] as T);
  const values = Object.fromEntries(Object.entries(told.values).map(([name, column]) => [name, pick(column)]));
  return { key: pick(told.key), first: pick(first), last: pick(told.last), values };
}

/** A copy: the table changes its columns, and the given ones must stay unchanged. */
function copied(told: Columns): Own {
  const values = Object.fromEntries(Object.entries(told.values).map(([name, column]) => [name, column.slice()]));
  return { key: told.key.slice(), first: told.first.slice(), last: told.last.slice(), values };
}
