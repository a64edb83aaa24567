"""Port ``Blobs``: data too large for an event, named by its hash and never changed."""

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
    """Return the name under which ``data`` is stored."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class Blobs(ABC):
    """A content-addressed, append-only store.

    Obligations of an implementation:

    - ``_store`` is durable when it returns. Storing the same bytes again succeeds and changes nothing.
    - Several callers and processes may store and load at once; none of them ever sees a partial blob.
    - This interface cannot change or remove a blob.

    ``put``, ``get`` and ``restore`` are the only entry points: they scrub and bound the input, and check its hash.
    """

    def __init__(self, scrubber: Scrubber | None = None) -> None:
        self._scrubber = scrubber or Scrubber()

    async def put(self, data: bytes, media_type: str = "application/octet-stream") -> BlobRef:
        """Store ``data`` with its secrets removed, and return a reference to the stored bytes.

        Raises:
            BlobTooLarge: it exceeds the size limit.
        """
        if len(data) > MAX_BLOB_BYTES:
            raise BlobTooLarge(f"a blob of {len(data):,} bytes exceeds the limit of {MAX_BLOB_BYTES:,}; split it")
        kept = self._scrubber.bytes(data)
        ref = BlobRef(hash=hash_of(kept), size=len(kept), media_type=media_type)
        await self._store(ref.hash, kept)
        return ref

    async def get(self, ref: BlobRef | str) -> bytes:
        """Return the bytes that ``ref``, or a hash, names.

        Raises:
            BlobMissing: nothing is stored under it.
            BlobAltered: the stored bytes do not have that hash.
        """
        name = ref if isinstance(ref, str) else ref.hash
        # No other name reaches the store, which may use it as a path.
        data = await self._load(name) if _NAME.fullmatch(name) else None
        if data is None:
            raise BlobMissing(f"no blob is stored under {name!r}")
        if hash_of(data) != name:
            raise BlobAltered(f"the blob stored under {name} has the hash {hash_of(data)}: it was altered")
        return data

    async def restore(self, name: str, data: bytes) -> None:
        """Store ``data`` unchanged under its original name. For imports, which must not change a byte.

        Raises:
            BlobAltered: it does not have that hash.
        """
        if hash_of(data) != name:
            raise BlobAltered(f"the blob named {name} has the hash {hash_of(data)}: it was altered")
        await self._store(name, data)

    async def missing(self, names: Iterable[str]) -> frozenset[str]:
        """Return the names under which nothing is stored."""
        wanted = frozenset(names)
        possible = frozenset(name for name in wanted if _NAME.fullmatch(name))
        return (wanted - possible) | (await self._missing(possible) if possible else frozenset())

    @abstractmethod
    async def _missing(self, names: frozenset[str]) -> frozenset[str]: ...

    @abstractmethod
    async def _store(self, name: str, data: bytes) -> None: ...

    @abstractmethod
    async def _load(self, name: str) -> bytes | None: ...
