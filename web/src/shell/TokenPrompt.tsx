import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";

import { Button, TextField } from "../parts/controls";
import { Dialog } from "../parts/Dialog";
import { answerToken, useWanted } from "../wire/tokenWanted";
import { WhichToken } from "./WhichToken";

/** Asks for the token after a call was rejected without it; the call is then repeated. */
export function TokenPrompt() {
  const wanted = useWanted();
  if (wanted === null) return null;
  return <Prompt wrong={wanted.wrong} />;
}

function Prompt({ wrong }: { wrong: boolean }) {
  const [entered, setEntered] = useState("");
  const [form, box] = [useId(), useRef<HTMLFormElement>(null)];
  useEffect(() => {
    box.current?.querySelector("input")?.focus();
  }, []);
  const empty = entered.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!empty) answerToken(entered.trim());
  };
  const actions = (
    <>
      <Button onClick={() => answerToken(null)}>Not now</Button>
      <Button type="submit" form={form} kind="primary" disabled={empty}>
        Continue
      </Button>
    </>
  );
  return (
    <Dialog open title="The server requires its token" onClose={() => answerToken(null)} actions={actions}>
      <form id={form} ref={box} className="stack" onSubmit={submit} data-panel="token-prompt">
        <WhichToken />
        <TextField
          label="Token"
          type="password"
          autoComplete="off"
          value={entered}
          error={wrong ? "The token that was sent is not the server's." : undefined}
          hint="Enter the token to continue. It is kept for this tab, and forgotten when the tab is closed."
          onChange={setEntered}
        />
      </form>
    </Dialog>
  );
}
