"""The contract suite of port ``Blobs``: subclass it and override the fixture ``open_blobs``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from mendel.contracts.errors import BlobAltered, BlobMissing, BlobTooLarge
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.scrub import REDACTED, Scrubber
from mendel.ports.blobs import MAX_BLOB_BYTES, Blobs, hash_of

OpenBlobs = Callable[[Scrubber], Blobs]

SECRET = "correct horse battery"  # noqa: S105 - made up


@pytest.mark.asyncio
class BlobsContract:
    """What every blob store must do. ``open_blobs`` opens another handle on the same store at every call."""

    @pytest.fixture
    def open_blobs(self) -> OpenBlobs:
        raise NotImplementedError("override this fixture with a callable that opens the store under test")

    @pytest.fixture
    def blobs(self, open_blobs: OpenBlobs) -> Blobs:
        return open_blobs(Scrubber([SECRET]))

    @pytest.mark.parametrize("data", [b"", b"text", bytes(range(256)), b"\xff\xfe" * 500_000], ids=len)
    async def test_bytes_come_back_as_they_went_in(self, blobs: Blobs, data: bytes) -> None:
        ref = await blobs.put(data, "text/plain")
        assert ref == BlobRef(hash=hash_of(data), size=len(data), media_type="text/plain")
        assert await blobs.get(ref) == data
        assert await blobs.get(ref.hash) == data

    async def test_the_same_bytes_are_one_blob(self, blobs: Blobs, open_blobs: OpenBlobs) -> None:
        first = await blobs.put(b"same")
        again = await asyncio.gather(*(handle.put(b"same") for handle in (blobs, open_blobs(Scrubber())) * 4))
        assert set(again) == {first}
        assert await blobs.get(first) == b"same"

    async def test_another_handle_sees_it(self, blobs: Blobs, open_blobs: OpenBlobs) -> None:
        ref = await blobs.put(b"shared")
        assert await open_blobs(Scrubber()).get(ref) == b"shared"

    async def test_what_is_missing_is_named(self, blobs: Blobs) -> None:
        ref = await blobs.put(b"here")
        absent = "sha256:" + "0" * 64
        assert await blobs.missing([ref.hash, absent]) == {absent}
        assert await blobs.missing([]) == frozenset()
        with pytest.raises(BlobMissing, match=absent):
            await blobs.get(absent)

    @pytest.mark.parametrize("name", ["/etc/passwd", "sha256:../../etc/passwd", "", "sha256:", "SHA256:" + "0" * 64])
    async def test_what_is_no_name_names_nothing(self, blobs: Blobs, name: str) -> None:
        assert await blobs.missing([name]) == {name}
        with pytest.raises(BlobMissing):
            await blobs.get(name)

    async def test_secrets_are_removed(self, blobs: Blobs) -> None:
        ref = await blobs.put(f'{{"api_key": "abc", "note": "{SECRET}"}}'.encode())
        assert await blobs.get(ref) == f'{{"api_key": "{REDACTED}", "note": "{REDACTED}"}}'.encode()

    async def test_restoring_needs_the_right_name(self, blobs: Blobs) -> None:
        await blobs.restore(hash_of(b"exact"), b"exact")
        assert await blobs.get(hash_of(b"exact")) == b"exact"
        with pytest.raises(BlobAltered):
            await blobs.restore(hash_of(b"exact"), b"other")

    async def test_the_ceiling(self, blobs: Blobs) -> None:
        with pytest.raises(BlobTooLarge):
            await blobs.put(bytes(MAX_BLOB_BYTES + 1))
