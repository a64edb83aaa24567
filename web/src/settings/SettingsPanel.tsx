/** Every setting with its value and source; the server masks secret values. */

import { CheckField, DataTable, Empty, Loads, Panel, TextField, Value } from "../parts";
import type { Column } from "../parts";
import { useQuery } from "../shell/router";
import { useLoaded } from "../wire/useLoaded";
import { settingsApi } from "./api";
import { isDefault, sections } from "./grouping";
import type { Setting, SettingsView } from "./types";

const COLUMNS: readonly Column<Setting>[] = [
  { name: "key", title: "Setting", head: true, by: (row) => row.key, cell: (row) => <Named setting={row} /> },
  { name: "value", title: "Value", cell: (row) => <code className="settings-value">{row.value}</code> },
  { name: "source", title: "Source", by: (row) => row.source, cell: (row) => <Source setting={row} /> },
];

function Named({ setting }: { setting: Setting }) {
  return (
    <>
      <code data-setting={setting.key}>{setting.key}</code>
      {setting.description !== "" && <div className="muted small settings-about">{setting.description}</div>}
    </>
  );
}

function Source({ setting }: { setting: Setting }) {
  return isDefault(setting) ? <span className="muted">{setting.source}</span> : <strong>{setting.source}</strong>;
}

export function SettingsPanel() {
  const loaded = useLoaded("settings", (signal) => settingsApi.settings({ signal }));
  return (
    <Panel
      name="settings"
      title="Settings"
      note="From flags, the environment, mendel.toml and defaults, in this order. Change them there; this page only shows them."
    >
      <Loads of={loaded} what="settings">
        {(view) => <View view={view} />}
      </Loads>
    </Panel>
  );
}

function View({ view }: { view: SettingsView }) {
  const query = useQuery();
  const words = query.get("q");
  const changed = query.get("changed") === "yes";
  const found = sections(view.settings, { words, changed });
  const narrowed = words !== "" || changed;
  const count = found.reduce((sum, section) => sum + section.settings.length, 0);
  return (
    <>
      <div className="row settings-filter">
        <TextField label="Search" type="search" value={words} onChange={(q) => query.set({ q })} />
        <CheckField
          label="Only settings that were set explicitly"
          checked={changed}
          onChange={(only) => query.set({ changed: only ? "yes" : null })}
        />
        <p role="status">
          <Value name="settings" raw={count}>
            {count} of {view.settings.length} settings
          </Value>
        </p>
      </div>
      {count === 0 && <Empty title="No matching settings">Search for fewer words, or include settings that were not set.</Empty>}
      {found.map(({ name, settings }) => (
        <details key={`${name} ${narrowed}`} open={narrowed || undefined} className="settings-section">
          <summary>
            {name === "" ? "General" : <code>[{name}]</code>} <span className="muted">{settings.length}</span>
          </summary>
          <DataTable
            caption={name === "" ? "General settings" : `Settings of ${name}`}
            columns={COLUMNS}
            rows={settings}
            keyOf={(setting) => setting.key}
          />
        </details>
      ))}
    </>
  );
}
