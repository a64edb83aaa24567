/** The installed plug-ins by group. */

import { Loads, Panel, Value } from "../parts";
import { useLoaded } from "../wire/useLoaded";
import { settingsApi } from "./api";
import { fullestFirst } from "./grouping";
import type { PluginGroup } from "./types";

export function PluginsPanel() {
  const loaded = useLoaded("plugins", (signal) => settingsApi.plugins({ signal }));
  return (
    <Panel name="plugins" title="Plug-ins" note="Found by their entry points, without loading them.">
      <Loads of={loaded} what="plug-ins">
        {(list) => (
          <>
            <p>
              <Value name="plugins" raw={list.total}>
                {list.total} plug-ins
              </Value>
            </p>
            <div className="settings-groups">
              {fullestFirst(list.groups).map((group) => (
                <Group key={group.name} group={group} />
              ))}
            </div>
          </>
        )}
      </Loads>
    </Panel>
  );
}

function Group({ group }: { group: PluginGroup }) {
  return (
    <section data-group={group.name} aria-label={group.name}>
      <h3 className="mono">{group.name}</h3>
      {group.means !== "" && <p className="muted small">{group.means}</p>}
      {group.plugins.length === 0 ? (
        <p className="muted">None installed.</p>
      ) : (
        <ul className="settings-plugins">
          {group.plugins.map((plugin) => (
            <li key={`${plugin.name} ${plugin.value}`} title={plugin.value}>
              <code>{plugin.name}</code>{" "}
              <span className="muted small">
                {plugin.distribution} {plugin.version}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
