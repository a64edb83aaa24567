/** Recent activity, newest first. */

import { useMemo } from "react";

import { Panel } from "../../parts/Panel";
import { Empty } from "../../parts/states";
import { useQuery } from "../../shell/router";
import { FEED_KINDS, FEED_LABELS, feedLine } from "../logic/feed";
import type { FeedKind, FeedLine } from "../logic/feed";
import { whole } from "../logic/amounts";
import type { PanelProps } from "../view";
import { CandidateLink } from "./CandidateLink";
import { Choice } from "./Choice";

const SHOWN = 60;
/** Maximum number of activities searched for lines of one kind. */
const LOOKED_AT = 4_000;

export function ActivityFeed({ view }: PanelProps) {
  const query = useQuery();
  const kind = query.get("feed");
  const { moment } = view;
  const lines = useMemo(() => linesOf(moment, kind), [moment, kind]);
  const options = [["", "Everything"], ...FEED_KINDS.map((each) => [each, FEED_LABELS[each].label] as const)] as const;
  return (
    <Panel
      name="activity"
      title="Activity"
      actions={<Choice label="Show" value={kind} options={options} onChange={(feed) => query.set({ feed })} />}
    >
      {lines.length === 0 ? (
        <Empty title={kind === "" ? "No activity yet." : "No recent activity of this kind."} />
      ) : (
        <ol className="feed" tabIndex={0} aria-label="Recent activity, newest first">
          {lines.map((line) => (
            <Line key={line.key} line={line} view={view} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function linesOf(moment: PanelProps["view"]["moment"], kind: string): FeedLine[] {
  const fitnessOf = (id: string) => moment.scoreOf(id)?.total ?? null;
  const found: FeedLine[] = [];
  for (const activity of moment.activity(kind === "" ? SHOWN * 2 : LOOKED_AT)) {
    const line = feedLine(activity, fitnessOf);
    if (line !== null && (kind === "" || line.kind === kind)) found.push(line);
    if (found.length === SHOWN) break;
  }
  return found;
}

function Line({ line, view }: PanelProps & { line: FeedLine }) {
  const { mark, label } = FEED_LABELS[line.kind satisfies FeedKind];
  return (
    <li className="feed-line" data-kind={line.kind} data-sequence={line.sequence}>
      <span className="feed-sequence">{whole(line.sequence)}</span>
      <span className="feed-mark" title={label}>
        <span aria-hidden="true">{mark}</span>
        <span className="hidden">{label}: </span>
      </span>
      <span className="feed-text">
        {line.subject !== null && <CandidateLink view={view} id={line.subject} />} {line.text}
      </span>
    </li>
  );
}
