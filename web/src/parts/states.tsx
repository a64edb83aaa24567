/** Placeholders: empty, loading, failed, disconnected. */

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
      {!reached && <p className="state-hint">The server does not respond; retrying. Is `mendel serve` still running?</p>}
    </div>
  );
}

interface FailedProps {
  problem: Problem;
  retry?: (() => void) | undefined;
  /** What was requested, on pages that request several things. */
  about?: string;
  /** A link to show if the requested thing does not exist. */
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

/** A placeholder for data that require the token, with a button to enter it. */
function Locked() {
  return (
    <div className="state state-failed" role="alert" data-state="failed" data-code={TOKEN_REQUIRED}>
      <Shape shape="ring" />
      <p className="state-title">This server requires its token</p>
      <Button kind="primary" onClick={() => void tokenGiven(token(), "always")}>
        Enter the token
      </Button>
    </div>
  );
}

const LOST = "The data shown may be out of date. The page reconnects automatically and catches up.";

/** A warning that the data may be out of date; renders nothing while connected. */
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

/** Loaded data in any state; if a reload fails, the old data stay visible under a warning. */
export function Loads<T>({ of: { data, problem, reload }, what, children }: LoadsProps<T>) {
  if (data === null) return problem === null ? <Loading what={what} /> : <Failed problem={problem} retry={reload} />;
  return (
    <>
      {problem !== null && (
        <Banner kind="warn" title={`Could not reload ${what}`} name="stale">
          {problem.message} <Button onClick={reload}>Try again</Button>
        </Banner>
      )}
      {children(data)}
    </>
  );
}
