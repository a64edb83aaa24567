/** Differences between configurations; settings that are equal in all of them are left out. */

export interface Difference {
  /** The path of the setting, such as `caps.max_tokens`. */
  readonly path: string;
  /** One value per configuration; undefined if it is not set there. */
  readonly values: readonly (string | undefined)[];
}

type Flat = ReadonlyMap<string, string>;

/** A configuration as a map from paths to texts. */
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

/** The differing settings, sorted by path. */
export function differences(configs: readonly unknown[]): Difference[] {
  const flat = configs.map(flattened);
  const paths = [...new Set(flat.flatMap((each) => [...each.keys()]))].sort();
  return paths
    .map((path) => ({ path, values: flat.map((each) => each.get(path)) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}
