"""The SQL statements of the event log, and the conversion of records to their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from mendel.contracts.events.run import RUN_STATUS_AFTER
from mendel.ports.recorded_looks import MARKER, REPAIR, TRACES
from mendel.ports.records import Record

CHANNEL: Final = "mendel_runs"
COMMANDS_ONLY: Final = "/commands"
"""Suffix of the notifications sent only to tasks that wait for commands."""

_COLUMNS: Final = (
    "sequence, event_id, type, schema_version, occurred_at, actor, generation_id, genome_id, candidate_id, "
    "operation_id, correlation_id, trace_id, observation_id, payload, prev_hash, hash"
)

_TEXTS: Final = (
    *("event_id", "type", "actor", "generation_id", "genome_id", "candidate_id", "operation_id"),
    *("correlation_id", "trace_id", "observation_id", "prev_hash", "hash"),
)

# Each column of a batch is sent as one text with a line per row, which the server splits. No column can contain a line
# break (canonical JSON escapes them; ids and correlations exclude them) or be empty. Rejected: executemany (a
# statement per row) and psycopg's arrays (adapted value by value in Python): 1.3 and 1.5 times slower.
_LINES: Final = r"string_to_array({}, E'\n', '')"

INSERT: Final = f"""
INSERT INTO mendel.run_events (run_id, {_COLUMNS})
SELECT %(run_id)s::uuid, sequence, event_id::uuid, type, schema_version, occurred_at, actor, generation_id,
       genome_id, candidate_id, operation_id, correlation_id, trace_id, observation_id, payload,
       decode(prev_hash, 'hex'), decode(hash, 'hex')
FROM unnest(
    {_LINES.format("%(sequence)s")}::bigint[],
    {_LINES.format("%(event_id)s")},
    {_LINES.format("%(type)s")},
    {_LINES.format("%(schema_version)s")}::integer[],
    {_LINES.format("%(occurred_at)s")}::timestamptz[],
    {_LINES.format("%(actor)s")},
    {_LINES.format("%(generation_id)s")},
    {_LINES.format("%(genome_id)s")},
    {_LINES.format("%(candidate_id)s")},
    {_LINES.format("%(operation_id)s")},
    {_LINES.format("%(correlation_id)s")},
    {_LINES.format("%(trace_id)s")},
    {_LINES.format("%(observation_id)s")},
    {_LINES.format("%(payload)s")},
    {_LINES.format("%(prev_hash)s")},
    {_LINES.format("%(hash)s")}
) AS batch ({_COLUMNS})
WHERE %(first)s::bigint = 0 OR EXISTS (
    SELECT FROM mendel.run_events AS head
    WHERE head.run_id = %(run_id)s::uuid AND head.sequence = %(first)s::bigint - 1
      AND head.hash = decode(%(follows)s, 'hex'))
RETURNING CASE WHEN sequence = %(first)s::bigint THEN pg_notify('{CHANNEL}', run_events.run_id::text) END
"""  # noqa: S608 - built from constants

TIP: Final = """
SELECT sequence + 1, encode(hash, 'hex'), occurred_at FROM mendel.run_events
WHERE run_id = %s ORDER BY sequence DESC LIMIT 1
"""

_STORED: Final = (
    "run_id::text, sequence, event_id::text, type, schema_version, occurred_at, actor, generation_id, genome_id, "
    "candidate_id, operation_id, correlation_id, trace_id, observation_id, payload, encode(prev_hash, 'hex'), "
    "encode(hash, 'hex')"
)

READ: Final = f"""
SELECT {_STORED} FROM mendel.run_events
WHERE run_id = %s AND sequence >= %s AND sequence < %s ORDER BY sequence LIMIT %s
"""  # noqa: S608 - built from constants

IDS: Final = """
SELECT event_id::text FROM mendel.run_events WHERE run_id = %s AND sequence BETWEEN %s AND %s ORDER BY sequence
"""

_MILESTONES: Final = ", ".join(f"'{name}'" for name in RUN_STATUS_AFTER)
GLIMPSES: Final = f"""
WITH RECURSIVE ids AS (
    (SELECT run_id AS id FROM mendel.run_events ORDER BY run_id LIMIT 1)
    UNION ALL
    SELECT (SELECT run_id FROM mendel.run_events WHERE run_id > ids.id ORDER BY run_id LIMIT 1)
    FROM ids WHERE ids.id IS NOT NULL
)
SELECT milestone.type, beginning.*, ending.*
FROM ids
CROSS JOIN LATERAL (
    SELECT {_STORED} FROM mendel.run_events WHERE run_id = ids.id ORDER BY sequence LIMIT 1) AS beginning
CROSS JOIN LATERAL (
    SELECT {_STORED} FROM mendel.run_events WHERE run_id = ids.id ORDER BY sequence DESC LIMIT 1) AS ending
LEFT JOIN LATERAL (
    SELECT type FROM mendel.run_events WHERE run_id = ids.id AND type IN ({_MILESTONES})
    ORDER BY sequence DESC LIMIT 1) AS milestone ON true
WHERE ids.id IS NOT NULL
"""  # noqa: S608 - built from constants

NICHE_MARKS: Final = f"""
WITH known AS MATERIALIZED (
    SELECT run_id FROM mendel.run_events
    WHERE type = 'run.configured' AND mendel.niches_of(payload) @> ARRAY[%(niche)s::text]
)
SELECT {_STORED.replace("run_id::text", "run_events.run_id::text", 1)} FROM known JOIN mendel.run_events USING (run_id)
WHERE type IN ({_MILESTONES})
UNION ALL
SELECT {_STORED.replace("run_id::text", "run_events.run_id::text", 1)} FROM known JOIN mendel.run_events USING (run_id)
WHERE type IN ('adoption.made', 'adoption.revoked')
   OR (type = 'operation.started' AND position('"challenge":{{' IN payload) > 0)
ORDER BY 1, 2
"""  # noqa: S608 - built from constants

_TRACE_TYPES: Final = ", ".join(f"'{name}'" for name in TRACES)
TRACES_BACKWARDS: Final = f"""
SELECT {_STORED} FROM mendel.run_events
WHERE run_id = %s AND sequence < %s
  AND (type IN ({_TRACE_TYPES}) OR (type = '{MARKER}' AND position('{REPAIR.decode()}' IN payload) > 0))
ORDER BY sequence DESC LIMIT %s
"""  # noqa: S608 - built from constants

INSERT_COMMAND: Final = f"""
WITH inserted AS (
    INSERT INTO mendel.run_commands (run_id, position, command_id, kind, actor, payload, issued_at)
    SELECT %(run_id)s::uuid, 1 + coalesce(max(position), 0), %(id)s::uuid, %(kind)s, %(actor)s, %(payload)s,
           %(issued_at)s
    FROM mendel.run_commands WHERE run_id = %(run_id)s::uuid
    ON CONFLICT ON CONSTRAINT run_commands_id DO NOTHING
    RETURNING run_id
)
SELECT pg_notify('{CHANNEL}', run_id::text), pg_notify('{CHANNEL}', run_id::text || '{COMMANDS_ONLY}') FROM inserted
"""  # noqa: S608 - built from constants

_COMMAND: Final = "run_id::text, position, command_id::text, kind, actor, payload, issued_at FROM mendel.run_commands"
COMMANDS: Final = f"SELECT {_COMMAND} WHERE run_id = %s AND position > %s ORDER BY position"
COMMAND: Final = f"SELECT {_COMMAND} WHERE command_id = %s"


def insert_parameters(run_id: str, records: Sequence[Record]) -> dict[str, Any]:
    """Return the parameters for ``INSERT``."""
    columns = dict(zip(Record._fields, zip(*records, strict=True), strict=True))
    return {
        "run_id": run_id,
        "first": records[0].sequence,
        "follows": records[0].prev_hash,
        "sequence": "\n".join(map(str, columns["sequence"])),
        "schema_version": "\n".join(map(str, columns["schema_version"])),
        "occurred_at": "\n".join(_timestamps(columns["occurred_at"])),
        "payload": b"\n".join(columns["payload"]).decode(),
        **{name: "\n".join([text or "" for text in columns[name]]) for name in _TEXTS},
    }


def record_of(row: Sequence[Any]) -> Record:
    """Convert a row of ``READ`` to a record."""
    return Record._make((*row[:14], row[14].encode(), *row[15:]))


def _timestamps(times: Iterable[datetime]) -> Iterable[str]:
    """Yield the times as text; the records of a batch share one object, so it is formatted once."""
    last: datetime | None = None
    text = ""
    for time in times:
        if time is not last:
            last, text = time, time.isoformat()
        yield text
