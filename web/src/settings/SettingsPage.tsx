/** Settings of this server, installed plug-ins, the doctor's findings, and the appearance of the page. */

import { DoctorPanel } from "./DoctorPanel";
import { LooksPanel } from "./LooksPanel";
import { PluginsPanel } from "./PluginsPanel";
import { SettingsPanel } from "./SettingsPanel";
import { TokenPanel } from "./TokenPanel";
import "./settings.css";

export default function SettingsPage() {
  return (
    <div className="stack">
      <h1>Settings and doctor</h1>
      <DoctorPanel />
      <div className="grid">
        <LooksPanel />
        <TokenPanel />
      </div>
      <SettingsPanel />
      <PluginsPanel />
    </div>
  );
}
