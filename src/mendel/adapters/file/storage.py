"""Careful file operations: durable, all or nothing, with errors that contain the path and the reason."""

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
"""Errors after which the same write may succeed once space has been freed."""


def storage_error(path: Path, error: OSError) -> StorageError:
    """Describe what failed for ``path``, with advice."""
    hints = {
        errno.EACCES: "; give this user access, or choose another folder with MENDEL_HOME",
        errno.EPERM: "; give this user access, or choose another folder with MENDEL_HOME",
        errno.EROFS: "; choose another folder with MENDEL_HOME",
        errno.ENOSPC: "; free space on that disk",
        errno.EDQUOT: "; free space in this user's quota",
    }
    return StorageError(f"{path}: {error.strerror}{hints.get(error.errno or 0, '')}")


def make_folder(path: Path) -> None:
    """Create ``path`` and its parents, private to this user.

    Raises:
        StorageError: it cannot be created.
    """
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise storage_error(path, error) from error


def exists(path: Path) -> bool:
    """Whether ``path`` exists.

    Raises:
        StorageError: that cannot be determined, or a parent is not a folder.
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
    """Open ``path`` and yield its descriptor."""
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def locked(descriptor: int) -> Iterator[None]:
    """Lock the file exclusively among all processes; the lock ends with this process, however it dies."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def append_durably(descriptor: int, data: bytes, size: int) -> None:
    """Write ``data`` at ``size``, the end of the file, and sync; on failure the file is restored.

    Raises:
        OSError: it could not be written.
    """
    try:
        os.posix_fallocate(descriptor, size, len(data))  # a full disk fails here, before readers can see any data
        written = 0
        while written < len(data):
            written += os.pwrite(descriptor, data[written:], size + written)
        os.fdatasync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def sync_folder(path: Path) -> None:
    """Make new file names in the folder ``path`` durable."""
    with opened(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor:
        os.fsync(descriptor)
