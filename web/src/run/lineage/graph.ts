/** What both drawings of a lineage, cards and overview, are given. */

import type { Scene } from "./scene";

export interface GraphProps {
  readonly scene: Scene;
  readonly selected: string | null;
  readonly follow: boolean;
  readonly columnName: string;
  readonly painter?: "webgl" | "canvas" | undefined;
  readonly onSelect: (id: string) => void;
  /** The first picture is there and can be used; `by` is what draws it. */
  readonly onReady: (by: string) => void;
  /** How many nodes are in view. */
  readonly onVisible: (count: number) => void;
}
