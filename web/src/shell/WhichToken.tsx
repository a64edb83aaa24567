import { get } from "../wire/client";
import type { components } from "../wire/schema";
import { useLoaded } from "../wire/useLoaded";

type SettingsView = components["schemas"]["SettingsPage"];

const UNSET = "none";

/** Says which token is meant, by the name of the variable that holds it on the server where that can be read. */
export function WhichToken() {
  const variable = useTokenVariable();
  return (
    <p data-value="token-variable" data-raw={variable ?? ""}>
      It is the one that the server was started with: there it stands in the environment variable{" "}
      {variable === null ? (
        <>
          that <code>serve.token_env</code> in <code>mendel.toml</code> names.
        </>
      ) : (
        <>
          <code>{variable}</code>, which <code>serve.token_env</code> names.
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
