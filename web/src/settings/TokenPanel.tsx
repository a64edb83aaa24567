/** The server's access token. It is kept for this tab and never displayed. */

import { useState } from "react";
import type { FormEvent } from "react";

import { Button, Panel, TextField, Value } from "../parts";
import { WhichToken } from "../shell/WhichToken";
import { setToken, useHasToken } from "../wire/token";

export function TokenPanel() {
  const kept = useHasToken();
  const [entered, setEntered] = useState("");
  const keep = (value: string | null) => {
    setToken(value);
    setEntered("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entered.trim() !== "") keep(entered.trim());
  };
  return (
    <Panel
      name="token"
      title="Token"
      note="A server that is reachable from other machines requires it for changes; other servers may require it too."
    >
      <p>
        <Value name="token" raw={kept ? "set" : "not set"}>
          {kept ? "A token is set for this tab." : "No token is set; the page asks for it when the server requires it."}
        </Value>
      </p>
      <WhichToken />
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Token"
          type="password"
          autoComplete="off"
          value={entered}
          onChange={setEntered}
          hint="Enter the token to use it. It is forgotten when the tab is closed."
        />
        <div className="row">
          <Button type="submit" kind="primary" disabled={entered.trim() === ""}>
            Use the token
          </Button>
          <Button disabled={!kept} onClick={() => keep(null)}>
            Forget the token
          </Button>
        </div>
      </form>
    </Panel>
  );
}
