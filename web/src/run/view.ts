/** What every panel of a run is given: the run at one moment, and how to select somebody in it. */

import type { Moment } from "../history";
import type { DomainInfo, RunConfig } from "../wire/types";

export interface RunView {
  readonly moment: Moment;
  /** As recorded; null while it is loaded. */
  readonly config: RunConfig | null;
  /** What the server tells of its domain; null while it is loaded, and where nobody has it. */
  readonly domain: DomainInfo | null;
  readonly replay: boolean;
  /** Whether the run comes from a file. */
  readonly file: string | null;
  readonly selected: string | null;
  readonly select: (candidateId: string | null) => void;
}

export interface PanelProps {
  readonly view: RunView;
}
