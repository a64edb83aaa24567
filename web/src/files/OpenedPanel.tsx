/** The files that this server has open, each with a button that closes it. */

import { useMemo, useState } from "react";

import { Amount, Banner, Button, DataTable, Empty, Loads, Panel, ShortId, Time } from "../parts";
import type { Column } from "../parts";
import { Link } from "../shell/router";
import { api, pagePath } from "../wire/api";
import { get } from "../wire/client";
import { asProblem } from "../wire/problem";
import type { Problem } from "../wire/problem";
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
  const { reload } = loaded;
  const [problem, setProblem] = useState<Problem | null>(null);
  const columns = useMemo(() => [...COLUMNS, closing(reload, setProblem)], [reload]);
  return (
    <Panel name="opened" title="Opened files" note="Kept in memory until they are closed or the server stops.">
      {problem !== null && (
        <Banner kind="bad" title="The file could not be closed">
          {problem.title}
        </Banner>
      )}
      <Loads of={loaded} what="the open files">
        {({ files }) => (
          <DataTable
            caption="Open files"
            columns={columns}
            rows={files}
            keyOf={(row) => row.file_id}
            empty={<Empty title="No file is open" />}
          />
        )}
      </Loads>
    </Panel>
  );
}

function closing(onClosed: () => void, onProblem: (problem: Problem | null) => void): Column<Opened> {
  return { name: "close", title: "Action", cell: (row) => <Close file={row} onClosed={onClosed} onProblem={onProblem} /> };
}

interface CloseProps {
  file: Opened;
  onClosed: () => void;
  onProblem: (problem: Problem | null) => void;
}

function Close({ file, onClosed, onProblem }: CloseProps) {
  const [busy, setBusy] = useState(false);
  const close = async () => {
    setBusy(true);
    onProblem(await closed(file.file_id));
    setBusy(false);
    onClosed();
  };
  return (
    <Button busy={busy} aria-label={`Close the file of run ${file.run_id}`} onClick={() => void close()}>
      Close
    </Button>
  );
}

/** Close a file and return the problem, if any; a file that is already closed counts as success. */
async function closed(file: string): Promise<Problem | null> {
  try {
    await api.close(file);
    return null;
  } catch (error) {
    const problem = asProblem(error);
    return problem.code === "file_not_open" ? null : problem;
  }
}
