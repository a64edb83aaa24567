"""A block closes what it opened, however it is left."""

import pytest

from mendel.ports.closing import Closing


class Counted(Closing):
    closed = 0

    async def aclose(self) -> None:
        self.closed += 1


async def test_a_block_closes_it_once_and_hides_nothing():
    held = Counted()
    async with held as entered:
        assert entered is held
        assert held.closed == 0
    assert held.closed == 1
    with pytest.raises(KeyError):
        async with held:
            raise KeyError
    assert held.closed == 2
