"""Writes stored events with the recorders of the ``eventsourcing`` package, and reports the time.

Started as ``python eventsourcing_writer.py HOST PORT USER DBNAME STATES``, where STATES is a file with one state per
line. Each line on stdin is ``{"recorder": NAME, "batch": N, "batches": N}``, each answer on stdout
``{"seconds": S}``; the first line is ``{"ready": 1}``. The events are built before the clock starts.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from eventsourcing.persistence import StoredEvent  # type: ignore[import-not-found]  # only where this program runs
from eventsourcing.postgres import (  # type: ignore[import-not-found]  # only where this program runs
    PostgresAggregateRecorder,
    PostgresApplicationRecorder,
    PostgresDatastore,
)


class Writer:
    """One recorder with its own table and connection, which writes one growing stream."""

    def __init__(self, kind: type[Any], table: str, place: list[str], *, functions: bool) -> None:
        host, port, user, dbname = place
        with psycopg.connect(host=host, port=port, user=user, dbname=dbname) as conn:
            conn.execute(f"CREATE SCHEMA {table}")
        datastore = PostgresDatastore(dbname, host, port, user, "", schema=table, enable_db_functions=functions)
        self._recorder = kind(datastore, events_table_name=table)
        self._recorder.create_table()
        self._stream = uuid4()
        self._versions = itertools.count(1)

    def write(self, states: Iterator[bytes], batch: int, batches: int) -> float:
        """Insert ``batches`` batches one after another, and return the seconds."""
        prepared = [[self._event(next(states)) for _ in range(batch)] for _ in range(batches)]
        began = time.perf_counter()
        for events in prepared:
            self._recorder.insert_events(events)
        return time.perf_counter() - began

    def _event(self, state: bytes) -> StoredEvent:
        return StoredEvent(self._stream, next(self._versions), "operation.completed", state)


def main() -> None:
    """Answer requests until stdin ends."""
    *place, states_file = sys.argv[1:]
    states = itertools.cycle(Path(states_file).read_bytes().splitlines())
    writers = {
        "application": Writer(PostgresApplicationRecorder, "application", place, functions=False),
        "application_functions": Writer(PostgresApplicationRecorder, "functions", place, functions=True),
        "aggregate": Writer(PostgresAggregateRecorder, "aggregate", place, functions=False),
    }
    print(json.dumps({"ready": 1}), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        seconds = writers[order["recorder"]].write(states, order["batch"], order["batches"])
        print(json.dumps({"seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
