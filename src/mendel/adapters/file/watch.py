"""Wakes up when a file changes: through inotify on Linux, by polling elsewhere."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from mendel.adapters.file.storage import storage_error
from mendel.ports.event_log import Changed

_CHANGES: Final = 0x2 | 0x80 | 0x100  # modified, moved here, created
_NONBLOCK_CLOEXEC: Final = os.O_NONBLOCK | os.O_CLOEXEC
_POLL_S: Final = 0.2  # how late a change may be noticed


@asynccontextmanager
async def watch_folder(folder: Path, prefix: str) -> AsyncIterator[Changed]:
    """Watch for changes of files in ``folder`` with names that start with ``prefix``."""
    if sys.platform != "linux":
        yield _poll
        return
    descriptor = _inotify(folder)
    flag = asyncio.Event()
    loop = asyncio.get_running_loop()

    def readable() -> None:
        if prefix.encode() in os.read(descriptor, 65536):  # a search in the raw records may wake us once too often
            flag.set()

    async def changed() -> None:
        await flag.wait()
        flag.clear()

    loop.add_reader(descriptor, readable)
    try:
        yield changed
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


async def _poll() -> None:
    """Wait for a fixed interval, where there is no inotify."""
    await asyncio.sleep(_POLL_S)


def _inotify(folder: Path) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.inotify_init1(_NONBLOCK_CLOEXEC)
    watch = libc.inotify_add_watch(descriptor, os.fsencode(folder), _CHANGES) if descriptor >= 0 else -1
    if watch < 0:
        code = ctypes.get_errno()
        if descriptor >= 0:
            os.close(descriptor)
        raise storage_error(folder, OSError(code, os.strerror(code)))
    return descriptor
