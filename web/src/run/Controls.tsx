/** Stop, kill, cancel, resume: each with a dialog that says what it does, and what came of it. */

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
  /** Something was asked of the run: who conducts it may have changed. */
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
  // Whatever was asked of a run, its end answers it.
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
  // Not `disabled`: the reason why can be reached with the keyboard too.
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
      <Button onClick={close}>Leave it</Button>
      <Button kind={control.dangerous ? "danger" : "primary"} busy={busy} onClick={confirm} data-confirm={control.kind}>
        {control.label} the run
      </Button>
    </>
  );
  return (
    <Dialog open title={`${control.label} this run?`} onClose={close} actions={actions}>
      <p>{control.what}</p>
      {control.takesReason && (
        <TextField label="Reason" hint="It is kept in the log." value={reason} maxLength={500} error={problem} onChange={setReason} />
      )}
      {!control.takesReason && problem !== null && <p role="alert">{problem}</p>}
    </Dialog>
  );
}

async function ask(api: RunApi, { kind, label }: Control, reason: string, key: string): Promise<Outcome> {
  if (kind === "resume") {
    const { conducted } = await api.resume({ key });
    return { good: conducted === "here", text: `Resume: the run is conducted ${conducted === "nobody" ? "by nobody" : conducted}.` };
  }
  const taken = await api.command(kind, reason === "" ? undefined : reason, { key });
  const text = taken.already ? "had been asked for already" : "was asked for; the run says so when it has taken it up";
  return { good: true, text: `${label} ${text} (command ${taken.command_id.slice(-8)}).` };
}
