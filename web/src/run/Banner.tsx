/** Says which it is, live or replay, and how the connection is. */

import type { FeedState } from "../history";
import { Link } from "../shell/router";
import { useNow } from "./hooks/useNow";
import type { Absence } from "./logic/absence";
import { whole } from "./logic/amounts";

export interface BannerProps {
  readonly replay: boolean;
  readonly file: string | null;
  readonly feed: FeedState;
  readonly at: number;
  readonly last: number;
  readonly over: boolean;
  /** Why nothing is to be expected of a run that has begun; null where something is, or nobody knows. */
  readonly absence: Absence | null;
  readonly when: string;
  readonly livePath: string;
  readonly replayPath: string;
  /** When it is tried again, in milliseconds since 1970. */
  readonly retryAt: number | null;
  readonly reconnect: () => void;
}

export function Banner(props: BannerProps) {
  const mode = modeOf(props);
  const words = WORDS[mode](props);
  return (
    <div className="run-banner" data-panel="banner" data-mode={mode}>
      <span className="run-banner-mark" aria-hidden="true">
        {MARKS[mode]}
      </span>
      <strong data-value="mode">{words.title}</strong>
      <span className="run-banner-more">{words.more}</span>
      {props.replay && <time className="run-banner-when">{props.when}</time>}
      {mode === "lost" && <Waiting {...props} />}
      <Way {...props} />
      <span className="hidden" role="status">
        {words.title}
      </span>
    </div>
  );
}

type Mode = "live" | "interrupted" | "connecting" | "lost" | "ended" | "replay" | "file";

const MARKS: Readonly<Record<Mode, string>> = {
  live: "●",
  interrupted: "◇",
  connecting: "◌",
  lost: "▲",
  ended: "■",
  replay: "◀",
  file: "▤",
};

function modeOf({ replay, file, feed, over, absence }: BannerProps): Mode {
  if (file !== null) return "file";
  if (replay) return "replay";
  if (over || feed.connection === "ended") return "ended";
  if (feed.connection === "open") return absence === null ? "live" : "interrupted";
  return feed.connection === "lost" ? "lost" : "connecting";
}

interface Words {
  readonly title: string;
  readonly more: string;
}

const at = ({ at, last }: BannerProps) => `at event ${whole(at)} of ${whole(last)}`;

const SILENT: Words = { title: "Interrupted: its conductor is silent", more: "nothing was heard of the run for too long" };
const abandoned = (last: number): Words => ({
  title: "Interrupted: nobody conducts it",
  more: `Resume, below, takes it up after event ${whole(last)}`,
});

const WORDS: Readonly<Record<Mode, (props: BannerProps) => Words>> = {
  live: ({ last }) => ({ title: "Live", more: `connected, through event ${whole(last)}` }),
  interrupted: ({ absence, last }) => (absence === "silent" ? SILENT : abandoned(last)),
  connecting: () => ({ title: "Connecting", more: "what is shown is the last that is known" }),
  lost: ({ feed }) => ({ title: "Connection lost", more: feed.problem?.title ?? "the server does not answer" }),
  ended: ({ last }) => ({ title: "Ended", more: `the run is over after ${whole(last + 1)} events` }),
  replay: (props) => ({ title: "Replay", more: at(props) }),
  file: (props) => ({ title: "Replay from a file, read-only", more: at(props) }),
};

function Waiting({ retryAt, reconnect }: BannerProps) {
  const now = useNow(500);
  const left = retryAt === null ? null : Math.max(0, retryAt - now);
  return (
    <>
      <span className="run-banner-more" data-value="reconnect_in" data-raw={left ?? ""}>
        {left === null || left < 500 ? "trying again" : `trying again in ${Math.ceil(left / 1000)} s`}; nothing is lost,
        the page goes on where it stopped
      </span>
      <button type="button" className="button" onClick={reconnect}>
        Try now
      </button>
    </>
  );
}

function Way({ replay, file, livePath, replayPath, over }: BannerProps) {
  if (file !== null) return null;
  return replay ? (
    <Link className="button way" to={livePath}>
      {over ? "Leave replay" : "Go live"}
    </Link>
  ) : (
    <Link className="button way" to={replayPath}>
      Rewind
    </Link>
  );
}
