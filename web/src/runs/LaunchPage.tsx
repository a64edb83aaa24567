/** `/launch`: start a run, with its worst-case cost shown beforehand. */

import { domainPage } from "../domains";
import { Empty, Loads } from "../parts";
import { Link, useQuery } from "../shell/router";
import { useTitle } from "../shell/useTitle";
import { api } from "../wire/api";
import type { CapsConfig, DomainInfo } from "../wire/types";
import { useLoaded } from "../wire/useLoaded";
import { LaunchForm } from "./launch/LaunchForm";
import "./launch/launch.css";

export default function LaunchPage() {
  useTitle("Launch");
  const loaded = useLoaded("launch", async (signal) => {
    const [domains, caps] = await Promise.all([api.domains({ signal }), api.caps({ signal })]);
    return { domains, caps };
  });
  return (
    <div className="stack" data-panel="launch">
      <header className="page-head launch-head">
        <div>
          <h1>Launch a run</h1>
          <p className="muted">Choose what to breed. Nothing starts and nothing is spent until you press the button.</p>
        </div>
      </header>
      <Loads of={loaded} what="the domains">
        {({ domains, caps }) => <Choice domains={domains} caps={caps} />}
      </Loads>
    </div>
  );
}

function Choice({ domains, caps }: { domains: readonly DomainInfo[]; caps: CapsConfig }) {
  const { get } = useQuery();
  const launchable = domains.filter((domain) => domain.launchable);
  const wanted = get("domain");
  const chosen = domains.find(({ name }) => name === wanted) ?? launchable[0] ?? domains[0];
  if (chosen === undefined) {
    return <Empty title="Nothing to breed">No domain is installed. `mendel plugin list` shows the installed plugins.</Empty>;
  }
  return (
    <>
      <nav className="launch-domains" aria-label="What to breed">
        {domains.map((domain) => (
          <Link
            key={domain.name}
            to={`/launch?domain=${encodeURIComponent(domain.name)}`}
            className="launch-domain"
            aria-current={domain === chosen ? "page" : undefined}
          >
            <strong>{domain.title || domainPage(domain.name).title}</strong>
            <span className="small">{domain.what}</span>
            {!domain.launchable && <span className="small launch-no">cannot be launched from this page</span>}
          </Link>
        ))}
      </nav>
      {chosen.launchable && chosen.form !== null ? (
        <LaunchForm key={chosen.name} domain={chosen} form={chosen.form} caps={caps} />
      ) : (
        <Empty title={`${chosen.title} cannot be launched from this page`}>{chosen.refusal ?? "This domain has no launch form."}</Empty>
      )}
    </>
  );
}
