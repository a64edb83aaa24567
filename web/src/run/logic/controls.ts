/** What may be asked of a run in which state, and why not where it may not. The server decides; this only says so before. */

import { type CommandKind, type Conducted, TERMINAL } from "../../wire/types";

export type ControlKind = CommandKind | "resume";

export interface Control {
  readonly kind: ControlKind;
  readonly label: string;
  /** What it does, in the dialog that asks for confirmation. */
  readonly what: string;
  readonly takesReason: boolean;
  readonly dangerous: boolean;
  /** Why it is not possible now; null where it is. */
  readonly refused: string | null;
}

export interface Situation {
  readonly status: string | null;
  readonly conducted: Conducted | null;
  readonly replay: boolean;
  readonly file: boolean;
  /** Whether the server answers. */
  readonly connected: boolean;
}

export const isOver = (status: string | null): boolean => status !== null && TERMINAL.has(status);

type Rule = (situation: Situation) => string | null;

const stop: Rule = ({ status }) => {
  if (status === "configured") return "The run has not started: cancel it instead.";
  if (status === "stopping") return "The run is stopping already.";
  return null;
};
const kill: Rule = ({ status }) => (status === "configured" ? "The run has not started: cancel it instead." : null);
const cancel: Rule = ({ status }) => (status === "configured" ? null : "Only a run that never started can be cancelled.");
const resume: Rule = ({ conducted }) => {
  if (conducted === "here") return "This server conducts the run already.";
  if (conducted === "elsewhere") return "Another process conducts the run.";
  return null;
};

const KINDS: readonly (Omit<Control, "refused"> & { readonly rule: Rule })[] = [
  {
    kind: "stop",
    label: "Stop",
    what: "Nothing new is bred; what is in flight comes to its end, and the run ends as stopped with what it has found.",
    takesReason: true,
    dangerous: false,
    rule: stop,
  },
  {
    kind: "kill",
    label: "Kill",
    what: "The run ends at once. What is in flight is given up; what was recorded stays.",
    takesReason: true,
    dangerous: true,
    rule: kill,
  },
  {
    kind: "cancel",
    label: "Cancel",
    what: "The run never starts.",
    takesReason: true,
    dangerous: true,
    rule: cancel,
  },
  {
    kind: "resume",
    label: "Resume",
    what: "This server takes the run over and conducts it from its last event on.",
    takesReason: false,
    dangerous: false,
    rule: resume,
  },
];

/** All controls, each with what speaks against it. */
export function controlsFor(situation: Situation): Control[] {
  const always = forAll(situation);
  return KINDS.map(({ rule, ...control }) => ({ ...control, refused: always ?? rule(situation) }));
}

function forAll({ status, replay, file, connected }: Situation): string | null {
  if (file) return "A run from a file is read-only.";
  if (replay) return "This is a replay: go live to control the run.";
  if (status === null) return "The run has no event yet.";
  if (isOver(status)) return `The run is over: it is ${status}.`;
  return connected ? null : "The connection is lost: nothing can be asked of the run until the server answers again.";
}
