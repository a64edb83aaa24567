/** API routes of the settings page. */

import { get, post } from "../wire/client";
import type { CallOptions } from "../wire/client";
import type { Doctor, PluginList, SettingsView } from "./types";

export const settingsApi = {
  settings: (options?: CallOptions) => get<SettingsView>("/api/settings", options),
  plugins: (options?: CallOptions) => get<PluginList>("/api/plugins", options),
  doctor: (options?: CallOptions) => get<Doctor>("/api/doctor", options),
  probe: (options?: CallOptions) => post<Doctor>("/api/doctor", {}, options),
};
