"""Advisory locks on files; the kernel releases them when the last holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mendel.adapters.postgres.embedded.waiting import Announce, pauses


@contextmanager
def exclusive(path: Path, announce: Announce, what: str) -> Iterator[None]:
    """Hold the lock; wait while another holder, in this process or another one, has it."""
    descriptor = _acquire(path, announce, what)
    try:
        yield
    finally:
        os.close(descriptor)


def try_exclusive(path: Path) -> int | None:
    """Try to take the lock; return the descriptor that holds it, or None if it is taken."""
    return _try(path, fcntl.LOCK_EX)


def is_held(path: Path) -> bool:
    """Whether the lock is held exclusively."""
    if not path.exists():
        return False
    descriptor = _try(path, fcntl.LOCK_SH)  # fails only while it is held exclusively
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def _acquire(path: Path, announce: Announce, what: str) -> int:
    for _ in pauses(announce, what):
        descriptor = try_exclusive(path)
        if descriptor is not None:
            return descriptor
    raise AssertionError("pauses() never ends")


def _try(path: Path, kind: int) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
