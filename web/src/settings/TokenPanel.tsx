/** The token for a server away from this machine; kept for this tab, shown to nobody. */

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
      note="Needed to change something where the server asks for it, as it does wherever others can reach it."
    >
      <p>
        <Value name="token" raw={kept ? "set" : "not set"}>
          {kept ? "A token is set for this tab." : "No token is set; the page asks for it where it is wanted."}
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
          hint="It is forgotten when the tab is closed."
        />
        <div className="row">
          <Button type="submit" kind="primary" disabled={entered.trim() === ""}>
            Use it
          </Button>
          <Button disabled={!kept} onClick={() => keep(null)}>
            Forget it
          </Button>
        </div>
      </form>
    </Panel>
  );
}
