"""Tests forbid live calls: whoever tries is told, before a byte leaves the machine."""

import asyncio
import socket

import pytest

from mendel.adapters.models.openai_wire import open_wire
from mendel.contracts.model_calls import Message
from mendel.ports.model_wire import WireContext, WireFailed, WireRequest


def test_a_socket_reaches_this_machine_only():
    with socket.socket() as strange, pytest.raises(PermissionError, match="tests talk to this machine only"):
        strange.connect(("192.0.2.1", 443))


def test_no_provider_can_be_asked():
    async def ask():
        async with open_wire(WireContext("openai", base_url="http://192.0.2.1/v1", api_key="k")) as wire:
            await wire.complete(WireRequest("m", (Message(role="user", content="x"),)))

    with pytest.raises(WireFailed, match="the server cannot be reached"):
        asyncio.run(ask())
