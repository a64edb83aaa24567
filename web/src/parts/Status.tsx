/** A status as shape, colour and label, so that it never depends on colour alone. */

import { words } from "./formatted";

export type StatusOf =
  | "run"
  | "generation"
  | "genome"
  | "candidate"
  | "operation"
  | "decision"
  | "verdict"
  | "connection"
  | "conducted"
  | "server"
  | "check";

export type Tone = "good" | "warn" | "bad" | "info" | "idle";
type Shape = "dot" | "ring" | "half" | "check" | "cross" | "square" | "pause" | "triangle" | "star" | "diamond" | "dash";
type Look = readonly [Tone, Shape, string?];

const LOOKS: Readonly<Record<StatusOf, Readonly<Record<string, Look>>>> = {
  run: {
    configured: ["idle", "ring"],
    running: ["info", "dot"],
    completing: ["info", "half"],
    completed: ["good", "check"],
    stopping: ["warn", "half"],
    stopped: ["warn", "square"],
    failed: ["bad", "cross"],
    cancelled: ["idle", "dash"],
  },
  generation: {
    pending: ["idle", "ring"],
    running: ["info", "dot"],
    degraded: ["warn", "triangle"],
    verifying: ["info", "half"],
    scoring: ["info", "half"],
    reproducing: ["info", "diamond"],
    completed: ["good", "check"],
    failed: ["bad", "cross"],
    skipped: ["idle", "dash"],
  },
  genome: {
    seeded: ["idle", "ring"],
    active: ["info", "dot"],
    spent: ["idle", "half"],
    eligible_parent: ["good", "diamond"],
    reproduced: ["good", "check"],
    culled: ["idle", "dash"],
    failed: ["bad", "cross"],
  },
  candidate: {
    created: ["idle", "ring"],
    repairing: ["warn", "half"],
    under_review: ["info", "half"],
    checked: ["info", "dot"],
    scored: ["good", "diamond"],
    selected: ["good", "star"],
    rejected: ["bad", "cross"],
    culled: ["idle", "dash"],
    invalid: ["bad", "triangle"],
  },
  operation: {
    running: ["info", "dot", "in flight"],
    completed: ["good", "check"],
    degraded: ["warn", "triangle"],
    failed: ["bad", "cross"],
  },
  decision: {
    adopt: ["good", "check"],
    reject: ["bad", "cross"],
    undecided: ["warn", "ring"],
  },
  verdict: {
    verdict: ["info", "diamond"],
    adopted: ["good", "star"],
    confirmed: ["good", "check"],
    revoked: ["bad", "cross"],
  },
  connection: {
    connecting: ["warn", "half", "connecting"],
    open: ["info", "dot", "live"],
    lost: ["bad", "triangle", "connection lost"],
    ended: ["idle", "square", "ended"],
  },
  conducted: {
    here: ["good", "dot", "conducted here"],
    elsewhere: ["info", "half", "conducted elsewhere"],
    nobody: ["idle", "ring", "no conductor"],
    interrupted: ["warn", "pause", "interrupted: no conductor"],
  },
  server: {
    answers: ["good", "dot", "Connected"],
    silent: ["bad", "triangle", "The server does not respond"],
  },
  check: {
    ok: ["good", "check"],
    warning: ["warn", "triangle"],
    failed: ["bad", "cross"],
    unknown: ["idle", "ring", "unknown"],
    absent: ["idle", "dash"],
  },
};

const UNKNOWN: Look = ["idle", "ring"];

/** The tone, shape and label of a status. */
export function statusLook(of: StatusOf, value: string): { tone: Tone; shape: Shape; label: string } {
  const [tone, shape, label] = LOOKS[of][value] ?? UNKNOWN;
  return { tone, shape, label: label ?? words(value) };
}

interface StatusProps {
  of: StatusOf;
  value: string | null;
  /** Replaces the status's own label. */
  label?: string;
  /** Shows only the shape; the label is for screen readers and the tooltip. */
  compact?: boolean;
}

export function Status({ of, value, label, compact = false }: StatusProps) {
  const look = statusLook(of, value ?? "unknown");
  const said = label ?? look.label;
  return (
    <span className={`status status-${look.tone}`} data-status={value ?? "unknown"} title={compact ? said : undefined}>
      <Shape shape={look.shape} />
      <span className={compact ? "hidden" : undefined}>{said}</span>
    </span>
  );
}

/** The shape alone, 16 by 16, in the current colour. */
export function Shape({ shape }: { shape: Shape }) {
  return (
    <svg className={`shape shape-${shape}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {SHAPES[shape]}
    </svg>
  );
}

const stroke = { fill: "none", stroke: "currentColor", strokeWidth: 2.2, strokeLinecap: "round", strokeLinejoin: "round" } as const;
const fill = { fill: "currentColor" } as const;

const SHAPES = {
  dot: <circle cx="8" cy="8" r="5" {...fill} />,
  ring: <circle cx="8" cy="8" r="4.6" {...stroke} />,
  half: (
    <>
      <circle cx="8" cy="8" r="4.9" {...stroke} strokeWidth={1.8} />
      <path d="M8 3a5 5 0 0 1 0 10z" {...fill} />
    </>
  ),
  check: <path d="M3 8.5 6.6 12 13 4.5" {...stroke} />,
  cross: <path d="M4 4l8 8M12 4l-8 8" {...stroke} />,
  square: <rect x="3.5" y="3.5" width="9" height="9" rx="1" {...fill} />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" {...stroke} />,
  triangle: <path d="M8 2.5 14 13H2z" {...fill} />,
  star: <path d="M8 1.6l1.9 4.1 4.5.5-3.3 3 .9 4.4L8 11.4l-4 2.2.9-4.4-3.3-3 4.5-.5z" {...fill} />,
  diamond: <path d="M8 2l5.5 6L8 14 2.5 8z" {...fill} />,
  dash: <path d="M3.5 8h9" {...stroke} />,
} as const;
