export { Lineage } from "./Lineage";
export type { LineageNode, LineageProps } from "./types";
