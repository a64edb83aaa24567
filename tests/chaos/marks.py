"""What a writer is doing at every moment, told through a pipe that outlives it."""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

READY = b"H"
"""The keeper knows the writer; it waits for its turn."""
BEGIN = b"B"
"""A commit begins."""
SYNC = b"S"
"""Everything is written and about to be synced (file log only)."""
END = b"E"
"""The commit is over."""
PAUSED = b"P"
"""The log said that its writer pauses."""
RESUMED = b"R"
"""The log said that its writer goes on."""
ACKNOWLEDGED = b"A"
"""The keeper was told of an acknowledged batch."""

_FORM = struct.Struct("<cq")


class Mark(NamedTuple):
    kind: bytes
    at_ns: int


def send(descriptor: int, kind: bytes) -> None:
    """One small write, which a pipe takes whole or not at all."""
    os.write(descriptor, _FORM.pack(kind, time.monotonic_ns()))


class MarkReader(threading.Thread):
    """Collects the marks of one writer until its end of the pipe is closed, which is when it is dead."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(daemon=True)
        self._descriptor = descriptor
        self._news = threading.Condition()
        self._marks: list[Mark] = []
        self._ended = False

    def run(self) -> None:
        rest = b""
        while data := os.read(self._descriptor, 1 << 16):
            rest += data
            whole = len(rest) - len(rest) % _FORM.size
            fresh = [Mark(*fields) for fields in _FORM.iter_unpack(rest[:whole])]
            rest = rest[whole:]
            with self._news:
                self._marks += fresh
                self._news.notify_all()
        os.close(self._descriptor)
        with self._news:
            self._ended = True
            self._news.notify_all()

    def so_far(self) -> list[Mark]:
        with self._news:
            return list(self._marks)

    def count(self) -> int:
        with self._news:
            return len(self._marks)

    def wait_for(self, wanted: Callable[[list[Mark]], bool], since: int, timeout_s: float) -> bool:
        """Whether ``wanted`` came true of the marks from ``since`` on, before the end and before the timeout."""
        deadline = time.monotonic() + timeout_s
        with self._news:
            while not wanted(self._marks[since:]):
                left = deadline - time.monotonic()
                if self._ended or left <= 0:
                    return False
                self._news.wait(left)
            return True


def seen(*kinds: bytes) -> Callable[[list[Mark]], bool]:
    """Whether marks of these kinds stand there in this order, others between them or not."""

    def holds(marks: list[Mark]) -> bool:
        following = iter(marks)
        return all(any(mark.kind == kind for mark in following) for kind in kinds)

    return holds


def committing(marks: list[Mark]) -> bool:
    """Whether the last thing said was that a commit begins: it did not end, and waits for nothing."""
    said = [mark.kind for mark in marks if mark.kind in {BEGIN, END, PAUSED, RESUMED}]
    return bool(said) and said[-1] == BEGIN


def committing_at(marks: list[Mark], at_ns: int) -> bool:
    """Whether a commit was under way at that moment."""
    return committing([mark for mark in marks if mark.at_ns <= at_ns])


def interrupted_at(marks: list[Mark], at_ns: int) -> bool:
    """Whether a commit was under way at that moment and its writer had to pause before it was over."""
    if not committing_at(marks, at_ns):
        return False
    later = (mark.kind for mark in marks if mark.at_ns > at_ns and mark.kind in {PAUSED, END})
    return next(later, None) == PAUSED
