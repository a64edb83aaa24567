import { useState } from "react";

import { Dialog } from "../parts/Dialog";
import { LISTS, useKey, useKeyListener, useKeys } from "./keys";
import { navigate } from "./router";

const NAMES: Readonly<Record<string, string>> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** Handles the keyboard shortcuts, and lists them on `?`. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  useKeyListener();
  useKey(LISTS, "Show this list", () => setOpen(true));
  useKey("g", "Go to the runs", () => navigate("/"));
  useKey("n", "Launch a run", () => navigate("/launch"));
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={() => setOpen(false)}>
      <KeyList />
      <p className="muted small">Tab moves between controls, Enter and Space activate them, Escape closes dialogs.</p>
    </Dialog>
  );
}

function KeyList() {
  const latest = new Map(useKeys().map((entry) => [entry.key, entry]));
  return (
    <dl className="key-list">
      {[...latest.values()].map(({ key, label }) => (
        <div key={key}>
          <dt>
            <kbd>{NAMES[key] ?? key}</kbd>
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  );
}
