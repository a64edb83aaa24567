/** API types of settings, plug-ins and probes; the server masks secret values. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

export type Setting = Schemas["SettingItem"];
export type SettingsView = Schemas["SettingsPage"];
export type Plugin = Schemas["PluginItem"];
export type PluginGroup = Schemas["PluginGroup"];
export type PluginList = Schemas["Plugins"];
export type Probe = Schemas["Probe"];
export type ProbeStatus = Probe["status"];
export type Doctor = Schemas["Doctor"];
