/** A paged table of all candidates, sortable by several columns. */

import { useMemo } from "react";

import type { Moment } from "../../history";
import { Button } from "../../parts/controls";
import { DataTable, sortFrom, sortText } from "../../parts/DataTable";
import type { Column } from "../../parts/DataTable";
import { words } from "../../parts/formatted";
import { Panel } from "../../parts/Panel";
import { Status } from "../../parts/Status";
import { Empty } from "../../parts/states";
import { useQuery } from "../../shell/router";
import { fitness, nick, whole } from "../logic/amounts";
import { PAGE, ROSTER_COLUMNS, energyOf, rosterOf } from "../logic/roster";
import type { RosterRow } from "../logic/roster";
import type { PanelProps } from "../view";
import { Choice } from "./Choice";

const STATUSES = ["created", "repairing", "under_review", "checked", "scored", "selected", "rejected", "culled", "invalid"];
const OPTIONS = [["", "all"], ...STATUSES.map((status) => [status, words(status)] as const)] as const;
const NEWEST = { column: "birth", down: true };

export function Roster({ view }: PanelProps) {
  const query = useQuery();
  const { moment } = view;
  const [sort, status] = [sortFrom(query.get("sort")) ?? NEWEST, query.get("who")];
  const column = ROSTER_COLUMNS.find((name) => name === sort.column) ?? "birth";
  const rows = useMemo(() => rosterOf(moment, column, sort.down, status), [moment, column, sort.down, status]);
  const columns = useMemo(() => columnsOf(moment), [moment]);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const page = Math.min(Math.max(query.number("page") ?? 1, 1), pages);
  return (
    <Panel
      name="roster"
      title="Roster"
      note={
        <span data-value="roster_count" data-raw={rows.length}>
          {whole(rows.length)} candidates
        </span>
      }
      actions={<Choice label="Status" value={status} options={OPTIONS} onChange={(who) => query.set({ who, page: null })} />}
    >
      <DataTable
        caption="Candidates; a row opens the inspector"
        columns={columns}
        rows={rows.slice((page - 1) * PAGE, page * PAGE)}
        keyOf={({ candidate }) => candidate.id}
        sort={sort}
        sorted
        onSort={(to) => query.set({ sort: sortText(to), page: null })}
        onOpen={({ candidate }) => view.select(candidate.id)}
        selected={view.selected}
        dense
        empty={<Empty title={status === "" ? "No candidates yet." : "No candidate has this status."} />}
      />
      {pages > 1 && <Pages page={page} pages={pages} go={(to) => query.set({ page: to === 1 ? null : to })} />}
    </Panel>
  );
}

/** The columns; `by` only marks the sortable ones, because the rows are already sorted. */
function columnsOf(moment: Moment): Column<RosterRow>[] {
  const by = () => null;
  return [
    { name: "birth", title: "Birth", by, head: true, cell: ({ candidate }) => <span title={candidate.id}>{nick(candidate.id)}</span> },
    { name: "status", title: "Status", by, cell: ({ candidate }) => <StatusWithReason status={candidate.status} reason={candidate.reason} /> },
    { name: "fitness", title: "Fitness", by, numeric: true, cell: ({ candidate }) => <span data-raw={candidate.fitness ?? ""}>{fitness(candidate.fitness)}</span> },
    { name: "operator", title: "Operator", by, cell: ({ operator }) => operator ?? "founder" },
    { name: "parents", title: "Parents", cell: ({ parents }) => (parents.length === 0 ? "–" : parents.map(nick).join(", ")) },
    { name: "energy", title: "Energy", by, numeric: true, cell: ({ candidate }) => whole(energyOf(moment, candidate)) },
  ];
}

function StatusWithReason({ status, reason }: { status: string; reason: string | null }) {
  return (
    <span title={reason ?? undefined}>
      <Status of="candidate" value={status} />
    </span>
  );
}

function Pages({ page, pages, go }: { page: number; pages: number; go: (to: number) => void }) {
  return (
    <nav className="row roster-pages" aria-label="Pages of the roster">
      <Button disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </Button>
      <span>
        Page {whole(page)} of {whole(pages)}
      </span>
      <Button disabled={page >= pages} onClick={() => go(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
