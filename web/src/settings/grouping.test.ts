import { describe, expect, test } from "vitest";

import { fullestFirst, probeCounts, probesByNeed, sections } from "./grouping";
import type { Probe, Setting } from "./types";

const setting = (key: string, source = "default"): Setting => ({ key, value: "1", source, description: `about ${key}` });
const SETTINGS = [setting("home"), setting("log.backend", "environment"), setting("log.level"), setting("llm.profile")];
const keys = (wanted: { words?: string; changed?: boolean }) =>
  sections(SETTINGS, { words: "", changed: false, ...wanted }).map(({ name, settings }) => [
    name,
    settings.map((each) => each.key),
  ]);

describe("settings by section", () => {
  test("are all there", () => {
    expect(keys({})).toEqual([
      ["", ["home"]],
      ["log", ["log.backend", "log.level"]],
      ["llm", ["llm.profile"]],
    ]);
  });

  test("are found by words, whatever their case", () => {
    expect(keys({ words: "LOG level" })).toEqual([["log", ["log.level"]]]);
    expect(keys({ words: "nothing like it" })).toEqual([]);
  });

  test("can leave out settings that were not set", () => {
    expect(keys({ changed: true })).toEqual([["log", ["log.backend"]]]);
  });
});

test("groups without a plug-in come last", () => {
  const plugin = { group: "b", name: "rank", value: "a:B", distribution: "mendel", version: "1", summary: "" };
  const groups = fullestFirst([
    { name: "a", means: "a bus", plugins: [] },
    { name: "b", means: "parents", plugins: [plugin] },
  ]);
  expect(groups.map((each) => each.name)).toEqual(["b", "a"]);
});

test("probes that need action come first", () => {
  const probe = (name: string, status: Probe["status"]): Probe => ({
    name,
    status,
    detail: "found",
    remedy: null,
    needed_for: "all",
  });
  const probes = [probe("a", "ok"), probe("b", "limited"), probe("c", "missing"), probe("d", "ok")];
  expect(probesByNeed(probes).map((each) => each.name)).toEqual(["c", "b", "a", "d"]);
  expect(probeCounts(probes)).toEqual({ ok: 2, limited: 1, missing: 1 });
});
