/** The lineage as a paged table with everything that the drawings show. */

import { type ReactElement, useEffect, useMemo, useState } from "react";
import { figure, lookOf, words } from "./kinds";
import type { Scene } from "./scene";
import { Shape } from "./Shape";
import type { LineageNode } from "./types";

interface NodesTableProps {
  readonly scene: Scene;
  readonly selected: string | null;
  readonly columnName: string;
  readonly onSelect: (id: string) => void;
  readonly onReady: (by: string) => void;
  readonly onVisible: (count: number) => void;
}

type Order = "birth" | "fitness";

const PAGE = 50;

export function NodesTable(props: NodesTableProps): ReactElement {
  const { scene, columnName, onReady, onVisible } = props;
  const [order, setOrder] = useState<Order>("birth");
  const [wanted, setPage] = useState(0);
  const rows = useMemo(() => sorted(scene.nodes, order), [scene, order]);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const page = Math.min(wanted, pages - 1);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  useEffect(() => onReady("table"), [onReady]);
  useEffect(() => onVisible(shown.length), [onVisible, shown.length]);
  return (
    <div className="lineage-table">
      {/* `tabIndex`: without focus, the keyboard could not scroll the box. */}
      <div className="lineage-rows" role="region" aria-label="Genomes" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <Sortable name="birth" title="Genome" order={order} onOrder={setOrder} />
              <th scope="col">{columnName}</th>
              <th scope="col">Status</th>
              <Sortable name="fitness" title="Fitness" order={order} onOrder={setOrder} />
              <th scope="col">Operator</th>
              <th scope="col">Parents</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((node) => (
              <Row key={node.id} node={node} {...props} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="lineage-pages">
        <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
          Previous
        </button>
        <span>
          page {page + 1} of {pages}
        </span>
        <button type="button" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
          Next
        </button>
      </p>
    </div>
  );
}

function sorted(nodes: readonly LineageNode[], order: Order): readonly LineageNode[] {
  const worst = Number.NEGATIVE_INFINITY;
  return nodes.toSorted((one, other) => {
    const better = order === "fitness" ? (other.fitness ?? worst) - (one.fitness ?? worst) : 0;
    return better > 0 || better < 0 ? better : one.birth - other.birth;
  });
}

interface SortableProps {
  readonly name: Order;
  readonly title: string;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Sortable({ name, title, order, onOrder }: SortableProps): ReactElement {
  const direction = name === "fitness" ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={order === name ? direction : "none"}>
      <button type="button" className="lineage-link" onClick={() => onOrder(name)}>
        {title}
      </button>
    </th>
  );
}

interface RowProps extends NodesTableProps {
  readonly node: LineageNode;
}

function Row({ node, scene, selected, onSelect }: RowProps): ReactElement {
  return (
    <tr aria-selected={node.id === selected} data-node={node.id}>
      <th scope="row">
        <button type="button" className="lineage-link" onClick={() => onSelect(node.id)}>
          {node.label}
        </button>
      </th>
      <td>{node.column}</td>
      <td>
        <Shape look={lookOf(node)} /> {words(node.status)}
        {node.final && ", winner"}
        {node.champion && ", champion"}
      </td>
      <td>{node.fitness === null ? "–" : figure(node.fitness)}</td>
      <td>{node.operator === null ? "founder" : words(node.operator)}</td>
      <td>
        {[...new Set(node.parents)].map((id) => (
          <button key={id} type="button" className="lineage-link" onClick={() => onSelect(id)}>
            {scene.nodes[scene.indexOf(id) ?? -1]?.label ?? id.slice(0, 8)}
          </button>
        ))}
      </td>
    </tr>
  );
}
