/** Panels as domains declare them; `mendel.api.panels` documents each part. */

import type { components } from "../wire/schema";

type Schemas = components["schemas"];

export type DeclaredPanel = Schemas["Panel"];
export type Part = DeclaredPanel["parts"][number];
export type ShownFigure = Schemas["ShownFigure"];
export type Format = ShownFigure["format"];
export type PartOf<Kind extends Part["part"]> = Extract<Part, { part: Kind }>;
