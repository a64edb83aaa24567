"""An in-memory index of one run file: where its commits end, and its tip."""

from __future__ import annotations

import os
import threading
from bisect import bisect_right
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from mendel.contracts.errors import LogIntegrityError, RunFileError
from mendel.contracts.events.run import RUN_STATUS_AFTER
from mendel.contracts.log_views import Head
from mendel.ports.niche_runs import is_mark
from mendel.ports.records import Record, Tip
from mendel.ports.run_file import End, parse_line

_EVENT, _BLOB, _END = b'{"event":', b'{"blob":"', b'{"end":'  # beginnings of lines, compared without parsing them
_ID = b'"event_id":"'
_TYPE = b'"type":"'


class _Commit(NamedTuple):
    """All events before ``next`` are located before ``offset``."""

    next: int
    offset: int


class RunIndex:
    """Grows with its file and never reads a part of it twice.

    Only commits closed by an ``end`` line count: data after the last one is a commit that its writer never finished.
    Threads may call ``refresh`` concurrently; the index only grows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.tip = Tip()
        self.milestone: str | None = None
        self.event_ids: set[str] = set()
        self.blobs: set[str] = set()
        self.marks: list[int] = []
        self.damage: LogIntegrityError | None = None
        self.first_offset = 0
        self.last_offset = 0
        self._commits: list[_Commit] = []
        self._lines = 0
        self._refreshing = threading.Lock()

    def refresh(self) -> None:
        """Read the commits added since the last call.

        Raises:
            LogIntegrityError: the file has become shorter, or a line is unreadable.
        """
        if not self.path.exists():
            return
        # Without the lock, a slower thread could move the end back, and a writer would truncate the file there.
        with self._refreshing:
            closed = self._closed_end()
            if closed > self.size:
                self._scan(closed)

    def offset_of(self, sequence: int) -> int:
        """Return an offset in the file after which all events from ``sequence`` on are located."""
        place = bisect_right(self._commits, sequence, key=lambda commit: commit.next) - 1
        return self._commits[place].offset if place >= 0 else 0

    def _closed_end(self) -> int:
        """Return the end of the last closed commit.

        Data before it is final. Data after it may be truncated and replaced while we read, so none of it is used.
        """
        with self.path.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size < self.size:
                raise LogIntegrityError("tail_cut", self.tip.next, f"{self.path} has become shorter")
            closed = offset = stream.seek(self.size)
            for line in stream:
                offset += len(line)
                if line.startswith(_END) and line.endswith(b"\n"):  # without a newline the writer died in it
                    closed = offset
        return closed

    def _scan(self, closed: int) -> None:
        with self.path.open("rb") as stream:
            stream.seek(self.size)
            self._take_lines(stream, closed)

    def _take_lines(self, stream: BinaryIO, closed: int) -> None:
        pending = _Pending(self.size)
        for line in stream:
            if pending.offset >= closed:
                return
            self._lines += 1
            pending.offset += len(line)
            if line.startswith(_EVENT):
                pending.take_event(line)
            elif line.startswith(_BLOB):
                pending.blobs.append(line[len(_BLOB) :].split(b'"', 1)[0].decode())
            elif line.startswith(_END):
                self._close(pending, line)
                pending = _Pending(self.size)

    def _close(self, pending: _Pending, line: bytes) -> None:
        if pending.last:
            self.tip = self._tip_after(pending, line)
            self.last_offset = pending.last_offset
        if not self._commits:
            self.first_offset = pending.first_offset
        self.milestone = pending.milestone or self.milestone
        self.event_ids.update(pending.event_ids)
        self.blobs.update(pending.blobs)
        self.marks.extend(pending.marks)
        self.size = pending.offset
        self._commits.append(_Commit(self.tip.next, self.size))

    def _tip_after(self, pending: _Pending, line: bytes) -> Tip:
        """Return the tip after a commit; an inconsistent commit is recorded as damage.

        Indexing continues: readers verify every event, and report the wrong one more precisely than this could.
        """
        following = self.tip.next + len(pending.event_ids)
        with suppress(RunFileError):
            end, last = parse_line(line, self._lines), parse_line(pending.last, self._lines - 1)
            if isinstance(last, Record) and end == End(Head(sequence=last.sequence, hash=last.hash)):
                return Tip(last.sequence + 1, last.hash, last.occurred_at)
        detail = f"{self.path}: the end line of a commit does not fit its last event"
        self.damage = self.damage or LogIntegrityError("altered", following - 1, detail)
        return self.tip._replace(next=following)


class _Pending:
    """Data read since the last closed commit."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.first_offset = offset
        self.last_offset = offset
        self.last = b""
        self.milestone: str | None = None
        self.event_ids: list[str] = []
        self.blobs: list[str] = []
        self.marks: list[int] = []

    def take_event(self, line: bytes) -> None:
        start = self.offset - len(line)
        if not self.event_ids:
            self.first_offset = start
        self.last, self.last_offset = line, start
        self.event_ids.append(_after(line, line.find(_ID), _ID))
        kind = type_of(line)
        if kind in RUN_STATUS_AFTER:
            self.milestone = kind
        if is_mark(kind, line):
            self.marks.append(start)


def type_of(line: bytes) -> str:
    """Return the type of the event in a line; empty for any other line."""
    return _after(line, line.rfind(_TYPE), _TYPE) if line.startswith(_EVENT) else ""


def _after(line: bytes, place: int, mark: bytes) -> str:
    """Return the string after ``mark`` at ``place``; inner quotes are escaped in JSON, so the next quote ends it."""
    begin = place + len(mark)
    return line[begin : line.index(b'"', begin)].decode("utf-8", "replace")
