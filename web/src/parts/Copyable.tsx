import { useEffect, useState } from "react";

import { Button } from "./controls";
import { copyText } from "./copying";

const WORDS = { idle: "Copy", copied: "Copied", failed: "Could not copy; select the text and copy it" } as const;
const FOR = { idle: 0, copied: 1_500, failed: 6_000 } as const;

/** A text with a button that copies it and shows whether that worked. */
export function Copyable({ text }: { text: string }) {
  const [state, setState] = useState<keyof typeof WORDS>("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), FOR[state]);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text)) ? "copied" : "failed");
  return (
    <span className="copyable">
      <code>{text}</code>
      <Button kind="quiet" onClick={() => void copy()} aria-label={state === "idle" ? `Copy ${text}` : undefined}>
        {WORDS[state]}
      </Button>
    </span>
  );
}
