/** Settings, plug-ins and probes as the API tells them; what is secret is masked there. */

export interface Setting {
  key: string;
  value: string;
  /** Where it was set: a file, a variable, a flag, or `default`. */
  source: string;
  description: string;
}

export interface SettingsView {
  settings: Setting[];
}

export interface Plugin {
  group: string;
  name: string;
  value: string;
  distribution: string;
  version: string;
  summary: string;
}

export interface PluginGroup {
  name: string;
  means: string;
  plugins: Plugin[];
}

export interface PluginList {
  groups: PluginGroup[];
  total: number;
}

export type ProbeStatus = "ok" | "limited" | "missing";

export interface Probe {
  name: string;
  status: ProbeStatus;
  detail: string;
  remedy: string | null;
  needed_for: string;
}

export interface Doctor {
  probes: Probe[];
  /** When it was looked; null where nobody has looked yet. */
  at: string | null;
}
