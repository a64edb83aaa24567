/** The files that this server has open. */

import { Amount, DataTable, Empty, Loads, Panel, ShortId, Time } from "../parts";
import type { Column } from "../parts";
import { Link } from "../shell/router";
import { pagePath } from "../wire/api";
import { get } from "../wire/client";
import { useLoaded } from "../wire/useLoaded";

interface Opened {
  file_id: string;
  run_id: string;
  events: number;
  blobs: number;
  opened_at: string;
}

const COLUMNS: readonly Column<Opened>[] = [
  {
    name: "run",
    title: "Run",
    head: true,
    cell: (row) => (
      <Link to={pagePath(row.run_id, row.file_id)}>
        <ShortId id={row.run_id} />
      </Link>
    ),
  },
  { name: "events", title: "Events", numeric: true, by: (row) => row.events, cell: (row) => <Amount value={row.events} /> },
  { name: "blobs", title: "Blobs", numeric: true, by: (row) => row.blobs, cell: (row) => <Amount value={row.blobs} /> },
  { name: "opened", title: "Opened", by: (row) => row.opened_at, cell: (row) => <Time at={row.opened_at} /> },
];

export function OpenedPanel() {
  const loaded = useLoaded("files", (signal) => get<{ files: Opened[] }>("/api/files", { signal }));
  return (
    <Panel name="opened" title="Open now" note="Kept in memory until the server ends.">
      <Loads of={loaded} what="the open files">
        {({ files }) => (
          <DataTable
            caption="Open files"
            columns={COLUMNS}
            rows={files}
            keyOf={(row) => row.file_id}
            empty={<Empty title="No file is open" />}
          />
        )}
      </Loads>
    </Panel>
  );
}
