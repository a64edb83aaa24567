/** The props that both drawings of a lineage, cards and overview, receive. */

import type { Scene } from "./scene";

export interface GraphProps {
  readonly scene: Scene;
  readonly selected: string | null;
  readonly follow: boolean;
  readonly columnName: string;
  readonly painter?: "webgl" | "canvas" | undefined;
  readonly onSelect: (id: string) => void;
  /** Called once the first picture is interactive; `by` is the renderer. */
  readonly onReady: (by: string) => void;
  /** Receives the number of nodes in view. */
  readonly onVisible: (count: number) => void;
}
