"""Small, careful file operations: durable, whole or not at all, with errors that say which path and why."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from mendel.contracts.errors import StorageError

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Errors after which the same write may succeed once somebody made room."""


def storage_error(path: Path, error: OSError) -> StorageError:
    """What went wrong with ``path``, and what to do about it."""
    hints = {
        errno.EACCES: "; give this user access, or choose another folder with MENDEL_HOME",
        errno.EPERM: "; give this user access, or choose another folder with MENDEL_HOME",
        errno.EROFS: "; choose another folder with MENDEL_HOME",
        errno.ENOSPC: "; make room on that disk",
        errno.EDQUOT: "; make room in this user's quota",
    }
    return StorageError(f"{path}: {error.strerror}{hints.get(error.errno or 0, '')}")


def make_folder(path: Path) -> None:
    """Make ``path`` and its parents, private to this user.

    Raises:
        StorageError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise storage_error(path, error) from error


def exists(path: Path) -> bool:
    """Whether ``path`` is there.

    Raises:
        StorageError: that cannot be told, or something that is no folder stands in the way.
    """
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise storage_error(path, error) from error
    return True


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """A descriptor of ``path``, closed at the end."""
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def locked(descriptor: int) -> Iterator[None]:
    """Exclusive among all processes; ends with this one, however it dies."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def append_durably(descriptor: int, data: bytes, size: int) -> None:
    """Write ``data`` at ``size``, the end of the file, and sync; on failure the file is as it was.

    Raises:
        OSError: it could not be written.
    """
    try:
        os.posix_fallocate(descriptor, size, len(data))  # a full disk shows now, before a reader can see anything
        written = 0
        while written < len(data):
            written += os.pwrite(descriptor, data[written:], size + written)
        os.fdatasync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def sync_folder(path: Path) -> None:
    """Make a new name in ``path`` durable."""
    with opened(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor:
        os.fsync(descriptor)
