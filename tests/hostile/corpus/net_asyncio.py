"""Connects from an event loop."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp", "landlock"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import asyncio


async def connect(host):
    await asyncio.wait_for(asyncio.open_connection("127.0.0.1", host["tcp_port"]), 0.5)


def attack(host):
    asyncio.run(connect(host))
