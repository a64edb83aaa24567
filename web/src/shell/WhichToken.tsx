import { get } from "../wire/client";
import type { components } from "../wire/schema";
import { useLoaded } from "../wire/useLoaded";

type SettingsView = components["schemas"]["SettingsPage"];

const UNSET = "none";

/** Explains which token is required, with the name of the server's environment variable if it is known. */
export function WhichToken() {
  const variable = useTokenVariable();
  return (
    <p data-value="token-variable" data-raw={variable ?? ""}>
      The token is set on the server, in the environment variable{" "}
      {variable === null ? (
        <>
          named by <code>serve.token_env</code> in <code>mendel.toml</code>.
        </>
      ) : (
        <>
          <code>{variable}</code>, as named by <code>serve.token_env</code>.
        </>
      )}
    </p>
  );
}

function useTokenVariable(): string | null {
  const { data } = useLoaded("token variable", (signal) => get<SettingsView>("/api/settings", { signal, asks: "never" }));
  const told = data?.settings.find(({ key }) => key === "serve.token_env")?.value;
  return told === undefined || told === "" || told === UNSET ? null : told;
}
