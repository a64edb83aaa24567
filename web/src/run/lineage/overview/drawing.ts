/** The appearance of nodes in the overview: shape by status, colour by fitness. */

import { kindOf, numberOf } from "../kinds";
import type { Palette } from "../palette";
import { type Domain, mixed, type Rgb, share } from "../scale";
import { kinOf, type Scene } from "../scene";
import type { LineageNode } from "../types";
import type { Drawing } from "./painter";

export function drawingOf(scene: Scene, palette: Palette, domain: Domain | null, selected: string | null): Drawing {
  const colours = new Uint8Array(scene.nodes.length * 3);
  const kinds = new Uint8Array(scene.nodes.length);
  scene.nodes.forEach((node, index) => {
    kinds[index] = numberOf(kindOf(node));
    colours.set(colourOfNode(node, palette, domain), index * 3);
  });
  const chosen = selected === null ? undefined : scene.indexOf(selected);
  return { scene, colours, kinds, palette, kin: chosen === undefined ? null : kinOf(scene, chosen) };
}

export function colourOfNode(node: LineageNode, palette: Palette, domain: Domain | null): Rgb {
  if (node.fitness !== null && domain !== null) return mixed(palette.scale, share(node.fitness, domain));
  return kindOf(node) === "failed" ? palette.failed : palette.quiet;
}
