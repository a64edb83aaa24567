/** Choose or drop an exported run. It opens read-only; the server keeps it in memory and writes nothing to disk. */

import { useCallback, useEffect, useId, useRef, useState } from "react";
import type { DragEvent } from "react";

import { Banner, Button, Failed, Panel, Value } from "../parts";
import { navigate } from "../shell/router";
import { pagePath } from "../wire/api";
import { asProblem } from "../wire/problem";
import type { Problem } from "../wire/problem";
import { objection, size } from "./choosing";
import { OpenedPanel } from "./OpenedPanel";
import { inWords, isRefusal } from "./refusal";
import { upload } from "./upload";
import type { Upload } from "./upload";
import "./files.css";

type Sending =
  | { readonly state: "idle"; readonly objection: string | null }
  | { readonly state: "sending"; readonly file: File; readonly share: number }
  | { readonly state: "failed"; readonly file: File; readonly problem: Problem }
  | { readonly state: "opened"; readonly to: string; readonly warnings: readonly string[] };

const IDLE: Sending = { state: "idle", objection: null };

/** Upload one file at a time, with progress. */
function useSending(): [Sending, (file: File) => void, () => void] {
  const [sending, setSending] = useState<Sending>(IDLE);
  const current = useRef<Upload | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const send = useCallback((file: File) => {
    const wrong = objection(file);
    if (wrong !== null) return setSending({ state: "idle", objection: wrong });
    current.current?.abort();
    setSending({ state: "sending", file, share: 0 });
    const started = upload(file, (share) => setSending({ state: "sending", file, share }));
    current.current = started;
    started.done.then(
      ({ run_id, file_id, warnings }) => {
        if (current.current !== started) return;
        const to = pagePath(run_id, file_id);
        if (warnings.length === 0) navigate(to);
        else setSending({ state: "opened", to, warnings });
      },
      (error: unknown) => {
        if (current.current === started) setSending({ state: "failed", file, problem: asProblem(error) });
      },
    );
  }, []);
  const stop = useCallback(() => {
    current.current?.abort();
    current.current = null;
    setSending(IDLE);
  }, []);
  return [sending, send, stop];
}

export default function OpenPage() {
  const [sending, send, stop] = useSending();
  return (
    <div className="stack">
      <h1>Open a file</h1>
      <p>
        Open a run that was exported with <code>mendel log export RUN FILE</code>. It opens read-only, with its replay
        and its final proof. The file is sent to this server only. The server verifies every hash and keeps the file in
        memory until you close it or the server stops.
      </p>
      <Panel name="open" title="An exported run">
        <Chooser send={send} disabled={sending.state === "sending"} />
        <div aria-live="polite" className="stack">
          <Told sending={sending} stop={stop} send={send} />
        </div>
      </Panel>
      <OpenedPanel />
    </div>
  );
}

function Chooser({ send, disabled }: { send: (file: File) => void; disabled: boolean }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !disabled) send(file);
  };
  return (
    <div
      className={over ? "files-drop files-drop-over" : "files-drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id}>Drop a file here, or choose one</label>
      <input
        id={id}
        type="file"
        className="control"
        accept=".jsonl,.ndjson,.json,.mendel,application/x-ndjson"
        disabled={disabled}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = ""; // otherwise choosing the same file again fires no event
          if (file !== undefined) send(file);
        }}
      />
    </div>
  );
}

function Told({ sending, stop, send }: { sending: Sending; stop: () => void; send: (file: File) => void }) {
  switch (sending.state) {
    case "idle":
      return sending.objection === null ? null : <Banner kind="bad">{sending.objection}</Banner>;
    case "sending":
      return <Progress file={sending.file} share={sending.share} stop={stop} />;
    case "failed":
      return <Failed problem={inWords(sending.problem)} retry={isRefusal(sending.problem) ? undefined : () => send(sending.file)} />;
    case "opened":
      return <Opened to={sending.to} warnings={sending.warnings} />;
  }
}

function Progress({ file, share, stop }: { file: File; share: number; stop: () => void }) {
  const percent = Math.round(100 * share);
  return (
    <div className="row">
      <progress max={100} value={percent} aria-label={`Sending ${file.name}`} />
      <span>
        {share < 1 ? "Sending" : "Reading"} {file.name} ({size(file.size)}),{" "}
        <Value name="sent" raw={percent}>
          {percent}%
        </Value>
      </span>
      <Button onClick={stop}>Cancel</Button>
    </div>
  );
}

function Opened({ to, warnings }: { to: string; warnings: readonly string[] }) {
  return (
    <>
      <Banner kind="warn" title="The run is open, with warnings" name="warnings">
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </Banner>
      <div>
        <Button kind="primary" onClick={() => navigate(to)}>
          Show the run
        </Button>
      </div>
    </>
  );
}
