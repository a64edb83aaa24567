"""Port ``Blobs``: bytes too large for an event, named by their hash, never changed."""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Final

from mendel.contracts.errors import BlobAltered, BlobMissing, BlobTooLarge
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.scrub import Scrubber

_NAME: Final = re.compile(r"sha256:[0-9a-f]{64}")
MAX_BLOB_BYTES: Final = 64 * 1024 * 1024


def hash_of(data: bytes) -> str:
    """The name under which ``data`` is kept."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class Blobs(ABC):
    """A content-addressed, append-only store.

    Obligations of an implementation:

    - ``_store`` is durable when it returns, and storing the same bytes again is a success that changes nothing.
    - Several callers, and several processes, may store and load at once; nobody ever sees half a blob.
    - There is no way to change or remove a blob through this interface.

    ``put`` and ``get`` are the only doors: what goes in is scrubbed and bounded, what comes out has its hash.
    """

    def __init__(self, scrubber: Scrubber | None = None) -> None:
        self._scrubber = scrubber or Scrubber()

    async def put(self, data: bytes, media_type: str = "application/octet-stream") -> BlobRef:
        """Keep ``data`` with its secrets removed, and return the reference to what was kept.

        Raises:
            BlobTooLarge: it is above the ceiling.
        """
        if len(data) > MAX_BLOB_BYTES:
            raise BlobTooLarge(f"a blob of {len(data):,} bytes is above the ceiling of {MAX_BLOB_BYTES:,}; split it")
        kept = self._scrubber.bytes(data)
        ref = BlobRef(hash=hash_of(kept), size=len(kept), media_type=media_type)
        await self._store(ref.hash, kept)
        return ref

    async def get(self, ref: BlobRef | str) -> bytes:
        """The bytes that ``ref``, or the hash itself, names.

        Raises:
            BlobMissing: nothing is kept under it.
            BlobAltered: what is kept does not have that hash.
        """
        name = ref if isinstance(ref, str) else ref.hash
        data = await self._load(name) if _NAME.fullmatch(name) else None
        if data is None:
            raise BlobMissing(f"no blob is stored under {name!r}")
        if hash_of(data) != name:
            raise BlobAltered(f"the blob stored under {name} has the hash {hash_of(data)}: it was altered")
        return data

    async def restore(self, name: str, data: bytes) -> None:
        """Keep ``data`` as it is under the name it had elsewhere; for imports, which must not change a byte.

        Raises:
            BlobAltered: it does not have that hash.
        """
        if hash_of(data) != name:
            raise BlobAltered(f"the blob that calls itself {name} has the hash {hash_of(data)}")
        await self._store(name, data)

    async def missing(self, names: Iterable[str]) -> frozenset[str]:
        """Those of ``names`` under which nothing is kept."""
        wanted = frozenset(names)
        possible = frozenset(name for name in wanted if _NAME.fullmatch(name))
        return (wanted - possible) | (await self._missing(possible) if possible else frozenset())

    @abstractmethod
    async def _missing(self, names: frozenset[str]) -> frozenset[str]: ...

    @abstractmethod
    async def _store(self, name: str, data: bytes) -> None: ...

    @abstractmethod
    async def _load(self, name: str) -> bytes | None: ...
