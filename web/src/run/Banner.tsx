/** The banner of a run page: live or replay, and the state of the connection. */

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
  /** Why a run that has begun makes no progress; null if it does, or if that is unknown. */
  readonly absence: Absence | null;
  readonly when: string;
  readonly livePath: string;
  readonly replayPath: string;
  /** The time of the next connection attempt, in milliseconds since 1970. */
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

const SILENT: Words = { title: "Interrupted: its conductor is silent", more: "the run has recorded nothing for too long" };
const abandoned = (last: number): Words => ({
  title: "Interrupted: no conductor",
  more: `Resume, below, continues it after event ${whole(last)}`,
});

const WORDS: Readonly<Record<Mode, (props: BannerProps) => Words>> = {
  live: ({ last }) => ({ title: "Live", more: `connected, through event ${whole(last)}` }),
  interrupted: ({ absence, last }) => (absence === "silent" ? SILENT : abandoned(last)),
  connecting: () => ({ title: "Connecting", more: "the data shown may be out of date" }),
  lost: ({ feed }) => ({ title: "Connection lost", more: feed.problem?.title ?? "the server does not respond" }),
  ended: ({ last }) => ({ title: "Ended", more: `the run ended after ${whole(last + 1)} events` }),
  replay: (props) => ({ title: "Replay", more: at(props) }),
  file: (props) => ({ title: "Replay from a file, read-only", more: at(props) }),
};

function Waiting({ retryAt, reconnect }: BannerProps) {
  const now = useNow(500);
  const left = retryAt === null ? null : Math.max(0, retryAt - now);
  return (
    <>
      <span className="run-banner-more" data-value="reconnect_in" data-raw={left ?? ""}>
        {left === null || left < 500 ? "reconnecting" : `reconnecting in ${Math.ceil(left / 1000)} s`}; the page will
        catch up, nothing is lost
      </span>
      <button type="button" className="button" onClick={reconnect}>
        Reconnect now
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
