/** What the lineage view is given: plain data, so that it depends on nobody. */

export interface LineageNode {
  /** The genome's id. */
  readonly id: string;
  readonly birth: number;
  readonly depth: number;
  /** The generation's index, or the depth where a steady run has no generations. */
  readonly column: number;
  readonly parents: readonly string[];
  readonly operator: string | null;
  readonly status: string;
  readonly fitness: number | null;
  readonly candidateId: string | null;
  readonly champion: boolean;
  /** Whether the run ended with it as its winner. */
  readonly final: boolean;
  /** Whether an operation about it is in flight. */
  readonly working: boolean;
  readonly label: string;
}

export interface LineageProps {
  readonly nodes: readonly LineageNode[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  /** Shows the family of this genome only. */
  readonly focus?: string | undefined;
  /** Keeps the whole lineage in view as it grows, until the reader moves the view; on unless told otherwise. */
  readonly follow?: boolean | undefined;
  /** What draws the overview; unless told, WebGL where a graphics card gives it and else a plain canvas. */
  readonly painter?: "webgl" | "canvas" | undefined;
  /** What a column stands for. */
  readonly columnName?: string | undefined;
}
