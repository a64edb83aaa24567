/** The lineage as of the shown moment. */

import { Suspense, useMemo } from "react";
import { lazily } from "../../parts/lazily";

import { Loading } from "../../parts/states";
import { columnsAreGenerations, lineageNodes } from "../logic/lineage";
import type { PanelProps } from "../view";

const Lineage = lazily(async () => ({ default: (await import("../lineage")).Lineage }));

export function LineagePanel({ view }: PanelProps) {
  const { moment, selected, config } = view;
  const byGeneration = columnsAreGenerations(config);
  const nodes = useMemo(() => lineageNodes(moment, byGeneration), [moment, byGeneration]);
  const chosen = selected === null ? null : (moment.candidate(selected)?.genomeId ?? null);
  const select = (genomeId: string) => {
    const shown = moment.expressed(genomeId);
    view.select((shown.findLast(({ fitness }) => fitness !== null) ?? shown.at(-1))?.id ?? null);
  };
  return (
    <section className="panel run-lineage" aria-labelledby="run-lineage-title">
      <header className="panel-head">
        <h2 className="panel-title" id="run-lineage-title">
          Lineage
        </h2>
      </header>
      <div className="panel-body">
        <Suspense fallback={<Loading what="the lineage" />}>
          <Lineage nodes={nodes} selected={chosen} onSelect={select} columnName={byGeneration ? "generation" : "depth"} />
        </Suspense>
      </div>
    </section>
  );
}
