/** The input of the lineage view: plain data, so that it depends on no other part of the page. */

export interface LineageNode {
  /** The genome's id. */
  readonly id: string;
  readonly birth: number;
  readonly depth: number;
  /** The generation's index; the depth in a steady run, which has no generations. */
  readonly column: number;
  readonly parents: readonly string[];
  readonly operator: string | null;
  readonly status: string;
  readonly fitness: number | null;
  readonly candidateId: string | null;
  readonly champion: boolean;
  /** Whether it is the winner of the run. */
  readonly final: boolean;
  /** Whether an operation about it is in flight. */
  readonly working: boolean;
  readonly label: string;
}

export interface LineageProps {
  readonly nodes: readonly LineageNode[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  /** Shows only the relatives of this genome. */
  readonly focus?: string | undefined;
  /** Keeps the whole lineage in view as it grows, until the user moves the view; default true. */
  readonly follow?: boolean | undefined;
  /** The renderer of the overview; by default WebGL if a graphics card supports it, otherwise a plain canvas. */
  readonly painter?: "webgl" | "canvas" | undefined;
  /** The name of a column's meaning; default "generation". */
  readonly columnName?: string | undefined;
}
