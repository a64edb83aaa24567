// @vitest-environment node
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

const CSS = readFileSync(new URL("./theme.css", import.meta.url), "utf8");

function tokens(theme: string): Record<string, string> {
  const block = CSS.slice(CSS.indexOf(`:root[data-theme="${theme}"]`));
  const body = block.slice(block.indexOf("{"), block.indexOf("}"));
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value] as [string, string]));
}

function luminance(colour: string): number {
  const channel = (start: number) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const TONES = ["good", "warn", "bad", "info"];
const READ: [string, string][] = [
  ...["text", "muted", "accent", "idle", ...TONES].flatMap((ink) =>
    ["ground", "surface", "raised", "accent-soft"].map((ground): [string, string] => [ink, ground]),
  ),
  ...TONES.flatMap((tone): [string, string][] => [
    ["text", `${tone}-soft`],
    [tone, `${tone}-soft`],
  ]),
  ["text", "added"],
  ["text", "removed"],
  ["muted", "added"],
  ["muted", "removed"],
  ["accent-ink", "accent"],
];
const SEEN: [string, string][] = [
  ["line-strong", "surface"],
  ["line-strong", "ground"],
  ...[1, 2, 3, 4, 5, 6, 7].map((number): [string, string] => [`series-${number}`, "surface"]),
];

test.each(["dark", "light", "contrast"])("the %s theme has sufficient contrast (WCAG AA)", (theme) => {
  const known = tokens(theme);
  const ratio = ([ink, ground]: [string, string]) => contrast(known[ink] ?? "", known[ground] ?? "");
  const told = (pair: [string, string]) => `${pair.join(" on ")}: ${ratio(pair).toFixed(2)}`;
  expect(READ.filter((pair) => !(ratio(pair) >= 4.5)).map(told)).toEqual([]);
  expect(SEEN.filter((pair) => !(ratio(pair) >= 3)).map(told)).toEqual([]);
});

test("every theme has the same tokens", () => {
  const [dark, light, high] = ["dark", "light", "contrast"].map((theme) => Object.keys(tokens(theme)).sort());
  expect(light).toEqual(dark);
  expect(high).toEqual(dark);
});
