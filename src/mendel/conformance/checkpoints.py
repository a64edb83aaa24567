"""The contract suite of port ``Checkpoints``: subclass it and override the fixture ``open_checkpoints``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import Head
from mendel.ports.checkpoints import Checkpoints

OpenCheckpoints = Callable[[], Checkpoints]


@pytest.mark.asyncio
class CheckpointsContract:
    """What every store of checkpoints must do. ``open_checkpoints`` opens another handle at every call."""

    @pytest.fixture
    def open_checkpoints(self) -> OpenCheckpoints:
        raise NotImplementedError("override this fixture with a callable that opens the checkpoints under test")

    async def test_nothing_is_kept_at_first(self, open_checkpoints: OpenCheckpoints) -> None:
        assert await open_checkpoints().get(new_run_id()) is None
        assert await open_checkpoints().run_ids() == frozenset()

    async def test_the_last_head_is_kept_per_run(self, open_checkpoints: OpenCheckpoints) -> None:
        checkpoints = open_checkpoints()
        first, second = new_run_id(), new_run_id()
        for sequence in (3, 40, 500):
            await checkpoints.put(first, Head(sequence=sequence, hash=f"{sequence:064x}"))
        await checkpoints.put(second, Head(sequence=0, hash="a" * 64))
        assert await open_checkpoints().get(first) == Head(sequence=500, hash=f"{500:064x}")
        assert await open_checkpoints().get(second) == Head(sequence=0, hash="a" * 64)
        assert await open_checkpoints().run_ids() == {first, second}
