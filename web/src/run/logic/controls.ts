/** The controls of a run in each state, with the reason if one is unavailable. The server decides; this is only a preview. */

import { type CommandKind, type Conducted, TERMINAL } from "../../wire/types";

export type ControlKind = CommandKind | "resume";

export interface Control {
  readonly kind: ControlKind;
  readonly label: string;
  /** Its effect, as shown in the confirmation dialog. */
  readonly what: string;
  readonly takesReason: boolean;
  readonly dangerous: boolean;
  /** Why it is unavailable now; null if it is available. */
  readonly refused: string | null;
}

export interface Situation {
  readonly status: string | null;
  readonly conducted: Conducted | null;
  readonly replay: boolean;
  readonly file: boolean;
  /** Whether the server responds. */
  readonly connected: boolean;
}

export const isOver = (status: string | null): boolean => status !== null && TERMINAL.has(status);

type Rule = (situation: Situation) => string | null;

const stop: Rule = ({ status }) => {
  if (status === "configured") return "The run has not started: cancel it instead.";
  if (status === "stopping") return "The run is already stopping.";
  return null;
};
const kill: Rule = ({ status }) => (status === "configured" ? "The run has not started: cancel it instead." : null);
const cancel: Rule = ({ status }) => (status === "configured" ? null : "Only a run that has not started can be cancelled.");
const resume: Rule = ({ conducted }) => {
  if (conducted === "here") return "This server already conducts the run.";
  if (conducted === "elsewhere") return "Another process conducts the run.";
  return null;
};

const KINDS: readonly (Omit<Control, "refused"> & { readonly rule: Rule })[] = [
  {
    kind: "stop",
    label: "Stop",
    what: "The run starts nothing new, finishes the operations in flight, and ends as stopped with its results so far.",
    takesReason: true,
    dangerous: false,
    rule: stop,
  },
  {
    kind: "kill",
    label: "Kill",
    what: "The run ends at once. Operations in flight are abandoned; recorded events are kept.",
    takesReason: true,
    dangerous: true,
    rule: kill,
  },
  {
    kind: "cancel",
    label: "Cancel",
    what: "The run ends without starting.",
    takesReason: true,
    dangerous: true,
    rule: cancel,
  },
  {
    kind: "resume",
    label: "Resume",
    what: "This server takes over the run and continues it after its last event.",
    takesReason: false,
    dangerous: false,
    rule: resume,
  },
];

/** All controls, each with the reason if it is unavailable. */
export function controlsFor(situation: Situation): Control[] {
  const always = forAll(situation);
  return KINDS.map(({ rule, ...control }) => ({ ...control, refused: always ?? rule(situation) }));
}

function forAll({ status, replay, file, connected }: Situation): string | null {
  if (file) return "A run from a file is read-only.";
  if (replay) return "This is a replay: go live to control the run.";
  if (status === null) return "The run has no events yet.";
  if (isOver(status)) return `The run has ended: it is ${status}.`;
  return connected ? null : "The connection is lost: the run cannot be controlled until the server responds again.";
}
