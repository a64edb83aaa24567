/** What is shown where there is nothing to show: nothing yet, still loading, failed, disconnected. */

import type { ReactNode } from "react";

import type { Problem } from "../wire/problem";
import { useReach } from "../wire/reach";
import type { Connection } from "../wire/stream";
import { token } from "../wire/token";
import { isTokenRequired, TOKEN_REQUIRED, tokenGiven } from "../wire/tokenWanted";
import type { Loaded } from "../wire/useLoaded";
import { Banner, Button, ButtonLink } from "./controls";
import { missingOf } from "./missing";
import type { Way } from "./missing";
import { Shape } from "./Status";
import { Name } from "./told";

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state state-empty" data-state="empty">
      <Shape shape="ring" />
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="state-hint">{children}</div>}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  const reached = useReach();
  return (
    <div className="state state-loading" role="status" data-state="loading">
      <span className="spinner" aria-hidden="true" />
      <p className="state-title">Loading {what} …</p>
      {!reached && <p className="state-hint">The server does not answer; it is asked again and again. Is `mendel serve` still running?</p>}
    </div>
  );
}

interface FailedProps {
  problem: Problem;
  retry?: (() => void) | undefined;
  /** What was asked for, where several things are asked for on one page. */
  about?: string;
  /** Where to go from what is not there. */
  way?: Way;
}

export function Failed({ problem, retry, about, way }: FailedProps) {
  if (isTokenRequired(problem)) return <Locked />;
  const missing = missingOf(problem);
  if (missing !== null) return <NotThere code={problem.code} title={missing.title} about={about} way={way ?? missing.way} />;
  return (
    <div className="state state-failed" role="alert" data-state="failed" data-code={problem.code}>
      <Shape shape="triangle" />
      <p className="state-title">{problem.title}</p>
      <div className="state-hint">
        {problem.detail !== "" && <p>{problem.detail}</p>}
        {problem.hint !== null && <p>{problem.hint}</p>}
      </div>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

function NotThere({ code, title, about, way }: { code: string; title: string; about: string | undefined; way: Way | null }) {
  return (
    <div className="state state-failed" role="alert" data-state="failed" data-code={code}>
      <Shape shape="ring" />
      <p className="state-title">{title}</p>
      {about !== undefined && (
        <p className="state-hint">
          <Name of={about} />
        </p>
      )}
      {way !== null && <ButtonLink to={way.to}>{way.label}</ButtonLink>}
    </div>
  );
}

/** What is not shown without the token; whoever gives it sees it. */
function Locked() {
  return (
    <div className="state state-failed" role="alert" data-state="failed" data-code={TOKEN_REQUIRED}>
      <Shape shape="ring" />
      <p className="state-title">The server shows this to who has its token</p>
      <Button kind="primary" onClick={() => void tokenGiven(token(), "always")}>
        Give the token
      </Button>
    </div>
  );
}

const LOST = "What is shown is what was known; the page connects again by itself, and nothing is missed.";

/** Says that what is shown may be old; nothing while all is well. */
export function Disconnected({ connection, problem }: { connection: Connection; problem: Problem | null }) {
  if (connection !== "lost" && !(connection === "connecting" && problem !== null)) return null;
  return (
    <Banner kind="bad" title="The connection is lost" name="disconnected">
      {LOST}
      {problem !== null && <span className="muted"> ({problem.message})</span>}
    </Banner>
  );
}

interface LoadsProps<T> {
  of: Loaded<T>;
  what: string;
  children: (data: T) => ReactNode;
}

/** Something loaded, in whichever state it is; old data stay under a word about what failed. */
export function Loads<T>({ of: { data, problem, reload }, what, children }: LoadsProps<T>) {
  if (data === null) return problem === null ? <Loading what={what} /> : <Failed problem={problem} retry={reload} />;
  return (
    <>
      {problem !== null && (
        <Banner kind="warn" title={`Could not load ${what} anew`} name="stale">
          {problem.message} <Button onClick={reload}>Try again</Button>
        </Banner>
      )}
      {children(data)}
    </>
  );
}
