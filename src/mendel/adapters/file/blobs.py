"""Blobs as files that are named by their hash."""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from mendel.adapters.file.storage import make_folder, storage_error, sync_folder
from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import Blobs


class FileBlobs(Blobs):
    """Stores each blob in a read-only file, which gets its name only when it is complete and on disk."""

    def __init__(self, folder: Path, scrubber: Scrubber | None = None) -> None:
        super().__init__(scrubber)
        self._folder = folder

    async def _missing(self, names: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name in names if not self._path(name).exists())

    async def _store(self, name: str, data: bytes) -> None:
        path = self._path(name)
        if not path.exists():
            await asyncio.to_thread(_write_whole, path, data)

    async def _load(self, name: str) -> bytes | None:
        path = self._path(name)
        try:
            return await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise storage_error(path, error) from error

    def _path(self, name: str) -> Path:
        digest = name.removeprefix("sha256:")
        return self._folder / digest[:2] / digest


def _write_whole(path: Path, data: bytes) -> None:
    make_folder(path.parent)
    temporary: str | None = None
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o400)
        Path(temporary).rename(path)
        sync_folder(path.parent)  # makes the rename durable
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()
        raise storage_error(path, error) from error
