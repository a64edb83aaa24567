"""Errors below the server, worded so that the user can fix them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mendel.contracts.errors import EmbeddedServerError, MachineryError, StorageError

ANOTHER_PLACE = "set MENDEL_HOME to a folder on another disk"
WITHOUT_SERVER = (
    'Mendel also works without it: [log] backend = "file" in mendel.toml (or MENDEL_LOG__BACKEND=file) keeps '
    "the log in files, and MENDEL_DATABASE_URL names a PostgreSQL of your own."
)
_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_FOLDER = (errno.ENOTDIR, errno.EEXIST)  # a file is in place of a folder
_SIGNS_OF_FULL = ("No space left on device", "Disk quota exceeded")
_TOO_LITTLE = 32 * 1024 * 1024  # less free space counts as full


@contextmanager
def storage_errors(place: Path) -> Iterator[None]:
    """Turn errors of the operating system below `place` into a StorageError."""
    try:
        yield
    except OSError as error:
        where = error.filename or place
        raise StorageError(f"{where}: {error.strerror or error}; {_advice(error)}") from error


def failed(what: str, output: str, place: Path) -> MachineryError:
    """Return the error for a PostgreSQL program that failed, with the end of its output."""
    said = f", saying:\n{output}" if output else " without any output"
    if any(sign in output for sign in _SIGNS_OF_FULL) or _free_bytes(place) < _TOO_LITTLE:
        free = _free_bytes(place) // 1024
        advice = f"free space below {place} ({free} KiB left) and try again, or {ANOTHER_PLACE}"
        return StorageError(f"{what} failed: the disk is full; {advice}. It ended{said}")
    return EmbeddedServerError(f"{what} in {place} failed{said}\n{WITHOUT_SERVER}")


def _advice(error: OSError) -> str:
    if error.errno in _FULL:
        return f"free some space there and try again, or {ANOTHER_PLACE}"
    if error.errno in _NO_FOLDER:
        return "move away the file that is in place of a folder, or set MENDEL_HOME to another folder"
    return "make it readable and writable for you, or set MENDEL_HOME to a folder that is"


def _free_bytes(place: Path) -> int:
    figures = os.statvfs(place)
    # Free blocks for users: postgres in a user namespace may not use the blocks reserved for root.
    return figures.f_bavail * figures.f_frsize
