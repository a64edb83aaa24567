/** The props of every panel of a run: the run at one moment, and the selected candidate. */

import type { Moment } from "../history";
import type { DomainInfo, RunConfig } from "../wire/types";

export interface RunView {
  readonly moment: Moment;
  /** As recorded; null while it loads. */
  readonly config: RunConfig | null;
  /** The run's domain as the server describes it; null while it loads and if it is not installed. */
  readonly domain: DomainInfo | null;
  readonly replay: boolean;
  /** The id of the opened file that the run comes from, or null. */
  readonly file: string | null;
  readonly selected: string | null;
  readonly select: (candidateId: string | null) => void;
}

export interface PanelProps {
  readonly view: RunView;
}
