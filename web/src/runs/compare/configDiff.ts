/** Where configurations differ. What is the same in all of them is not worth a line. */

export interface Difference {
  /** Where it stands, as in `caps.max_tokens`. */
  readonly path: string;
  /** One for each configuration; undefined where it has none. */
  readonly values: readonly (string | undefined)[];
}

type Flat = ReadonlyMap<string, string>;

/** A configuration as paths and plain texts. */
export function flattened(value: unknown): Flat {
  const found = new Map<string, string>();
  walk("", value, found);
  return found;
}

function walk(path: string, value: unknown, found: Map<string, string>): void {
  if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) walk(path === "" ? name : `${path}.${name}`, inner, found);
  } else if (path !== "") {
    found.set(path, typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** The paths whose values are not the same in all, in order of their names. */
export function differences(configs: readonly unknown[]): Difference[] {
  const flat = configs.map(flattened);
  const paths = [...new Set(flat.flatMap((each) => [...each.keys()]))].sort();
  return paths
    .map((path) => ({ path, values: flat.map((each) => each.get(path)) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}
