/** Stop, kill, cancel and resume a run: each with a dialog that explains it, and the outcome afterwards. */

import { useRef, useState } from "react";

import { Button, TextField } from "../parts/controls";
import { Dialog } from "../parts/Dialog";
import type { RunApi } from "../wire/api";
import { newKey } from "../wire/client";
import { asProblem } from "../wire/problem";
import { controlsFor, isOver } from "./logic/controls";
import type { Control, Situation } from "./logic/controls";

interface ControlsProps {
  readonly api: RunApi;
  readonly situation: Situation;
  /** Called after a request, because the run's conductor may have changed. */
  readonly onAsked: () => void;
}

interface Outcome {
  readonly good: boolean;
  readonly text: string;
}

export function Controls({ api, situation, onAsked }: ControlsProps) {
  const [asking, setAsking] = useState<Control | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const controls = controlsFor(situation);
  // Once the run has ended, the outcome of an earlier request is obsolete.
  const awaited = isOver(situation.status) ? null : outcome;
  const refused = controls.every((control) => control.refused !== null) ? controls[0]?.refused : null;
  const done = (told: Outcome) => {
    setAsking(null);
    setOutcome(told);
    onAsked();
  };
  return (
    <div className="run-controls" role="group" aria-label="Controls of the run">
      {controls.map((control) => (
        <ControlButton key={control.kind} control={control} ask={() => setAsking(control)} />
      ))}
      {refused && <p className="muted small">{refused}</p>}
      <p className="run-outcome" role="status" data-value="command_outcome" data-good={awaited?.good}>
        {awaited?.text}
      </p>
      {asking !== null && <Asking control={asking} api={api} close={() => setAsking(null)} done={done} />}
    </div>
  );
}

function ControlButton({ control, ask }: { control: Control; ask: () => void }) {
  const { kind, label, refused, dangerous, what } = control;
  // Not `disabled`: the keyboard must reach the button, because its description gives the reason.
  return (
    <Button
      kind={dangerous && refused === null ? "danger" : "plain"}
      data-control={kind}
      aria-disabled={refused !== null}
      title={refused ?? what}
      aria-description={refused ?? undefined}
      onClick={() => refused === null && ask()}
    >
      {label}
    </Button>
  );
}

interface AskingProps {
  readonly control: Control;
  readonly api: RunApi;
  readonly close: () => void;
  readonly done: (outcome: Outcome) => void;
}

function Asking({ control, api, close, done }: AskingProps) {
  const key = useRef(newKey());
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    ask(api, control, reason.trim(), key.current).then(done, (error: unknown) => {
      setProblem(asProblem(error).message);
      setBusy(false);
    });
  };
  const actions = (
    <>
      <Button onClick={close}>Do nothing</Button>
      <Button kind={control.dangerous ? "danger" : "primary"} busy={busy} onClick={confirm} data-confirm={control.kind}>
        {control.label} the run
      </Button>
    </>
  );
  return (
    <Dialog open title={`${control.label} this run?`} onClose={close} actions={actions}>
      <p>{control.what}</p>
      {control.takesReason && (
        <TextField label="Reason" hint="Optional; recorded in the log." value={reason} maxLength={500} error={problem} onChange={setReason} />
      )}
      {!control.takesReason && problem !== null && <p role="alert">{problem}</p>}
    </Dialog>
  );
}

async function ask(api: RunApi, { kind, label }: Control, reason: string, key: string): Promise<Outcome> {
  if (kind === "resume") {
    const { conducted } = await api.resume({ key });
    return { good: conducted === "here", text: `Resume: ${conducted === "nobody" ? "the run has no conductor" : `the run is conducted ${conducted}`}.` };
  }
  const taken = await api.command(kind, reason === "" ? undefined : reason, { key });
  const text = taken.already ? "was already requested" : "was requested; the run's status changes once its conductor handles it";
  return { good: true, text: `${label} ${text} (command ${taken.command_id.slice(-8)}).` };
}
