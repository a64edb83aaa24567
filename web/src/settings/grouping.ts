/** Grouping and order of settings, plug-ins and probes. */

import type { PluginGroup, Probe, ProbeStatus, Setting } from "./types";

export interface Section {
  readonly name: string;
  readonly settings: readonly Setting[];
}

export interface Wanted {
  /** Words that key, value, source or description must contain. */
  readonly words: string;
  /** Leave out settings that were not set explicitly. */
  readonly changed: boolean;
}

const DEFAULT = "default";

export function isDefault(setting: Setting): boolean {
  return setting.source === DEFAULT;
}

function fits(setting: Setting, wanted: Wanted): boolean {
  if (wanted.changed && isDefault(setting)) return false;
  const text = `${setting.key} ${setting.value} ${setting.source} ${setting.description}`.toLowerCase();
  return wanted.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The matching settings, grouped by the first part of their key, in their original order. */
export function sections(settings: readonly Setting[], wanted: Wanted): Section[] {
  const found = new Map<string, Setting[]>();
  for (const setting of settings) {
    if (!fits(setting, wanted)) continue;
    const name = setting.key.includes(".") ? (setting.key.split(".")[0] ?? "") : "";
    found.set(name, [...(found.get(name) ?? []), setting]);
  }
  return [...found].map(([name, each]) => ({ name, settings: each }));
}

/** The groups with plug-ins first, then the empty ones. */
export function fullestFirst(groups: readonly PluginGroup[]): PluginGroup[] {
  return [...groups.filter((each) => each.plugins.length > 0), ...groups.filter((each) => each.plugins.length === 0)];
}

const ORDER: Readonly<Record<ProbeStatus, number>> = { missing: 0, limited: 1, ok: 2 };

/** Probes, the ones that need action first. */
export function probesByNeed(probes: readonly Probe[]): Probe[] {
  return [...probes].sort((one, other) => ORDER[one.status] - ORDER[other.status]);
}

export function probeCounts(probes: readonly Probe[]): Record<ProbeStatus, number> {
  const counts: Record<ProbeStatus, number> = { ok: 0, limited: 0, missing: 0 };
  for (const probe of probes) counts[probe.status] += 1;
  return counts;
}
