"""A server that cannot be revived yet is waited for by those who listen, too."""

from __future__ import annotations

import asyncio

import pytest

from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.listener import Listener
from mendel.contracts.errors import EmbeddedServerError, MachineryError, StorageError


async def watch(listener: Listener) -> None:
    async with listener.watch("01a1e039-1098-767c-aa68-f6f5c1920564"):
        pass


@pytest.mark.parametrize("refusal", [StorageError, EmbeddedServerError])
async def test_a_listener_tries_again_when_the_server_cannot_start(refusal: type[MachineryError]) -> None:
    tried = asyncio.Queue[None]()
    loop = asyncio.get_running_loop()

    def revive() -> None:
        loop.call_soon_threadsafe(tried.put_nowait, None)
        raise refusal("the disk is full")

    listener = Listener(Database("host=/nowhere dbname=none user=none", revive=revive))
    watching = asyncio.create_task(watch(listener))
    for _ in range(2):
        await asyncio.wait_for(tried.get(), timeout=60)
    watching.cancel()
    await listener.close()
