"""Idempotency keys: whatever is asked twice with one key is done once, across restarts too, since the log remembers.

A run's id and a command's id are derived from the key, so that whoever asks again finds what there is. Nothing is kept
beside the log.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Final, TypeVar, cast
from uuid import UUID

from fastapi import Header
from pydantic import BaseModel

from mendel.api.problems import Refused
from mendel.contracts.ids import RunId

T = TypeVar("T")

REPLAYED: Final = {"Idempotent-Replay": "true"}
ACCEPTED: Final = "serve:"
"""How the correlation of a run begins that a server has accepted, and so owes to conduct."""
_RANDOM_BITS: Final = 74
_MOST_REMEMBERED: Final = 256
_SEED_BITS: Final = 31
"""Few enough for every reader of JSON."""

IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$",
        description="A text of your choice for this wish; sent again, it is answered again and done once.",
        examples=["6f1c2a90-launch"],
    ),
]


def run_id_for(key: str, milliseconds: int) -> RunId:
    """The id (UUIDv7) of the run that is asked for with ``key`` at a time; its random bits are the key's."""
    bits = _bits(key, "run", _RANDOM_BITS)
    high, low = bits >> 62, bits & ((1 << 62) - 1)
    return RunId(str(UUID(int=(milliseconds & ((1 << 48) - 1)) << 80 | 7 << 76 | high << 64 | 2 << 62 | low)))


def asked_with(key: str, run_id: str) -> bool:
    """Whether the run was asked for with ``key``, whenever that was."""
    return run_id[14:] == run_id_for(key, 0)[14:]


def seed_for(key: str) -> int:
    """The seed of a run that names none: the same for the same key."""
    return _bits(key, "seed", _SEED_BITS)


def command_id_for(key: str, run_id: str, kind: str) -> str:
    """The id of a command, in the form of a UUID that names something (version 8)."""
    bits = _bits(f"{run_id} {kind} {key}", "command", 128)
    shaped = bits & ~(0xF << 76) & ~(0x3 << 62) | 8 << 76 | 2 << 62
    return str(UUID(int=shaped))


def print_of(body: BaseModel) -> str:
    """What tells one body from another; stands in the log as the correlation of what was made of it."""
    # Not orjson, which refuses numbers beyond 64 bits and half a surrogate pair: the body is not judged yet.
    spelled = json.dumps(body.model_dump(mode="json"), sort_keys=True)
    return ACCEPTED + hashlib.blake2b(spelled.encode(), digest_size=16).hexdigest()


def _bits(text: str, purpose: str, count: int) -> int:
    digest = hashlib.blake2b(text.encode(), digest_size=16, person=purpose.encode()).digest()
    return int.from_bytes(digest) >> (128 - count)


class OneAtATime:
    """Lets whoever comes with a key wait for whoever came with it before."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Alone with the key."""
        lock, waiting = self._locks.get(key, (asyncio.Lock(), 0))
        self._locks[key] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._locks.pop(key)
            if waiting > 1:
                self._locks[key] = lock, waiting - 1


class Remembered:
    """What was done with a key, while this server lives: for what leaves nothing in the log that could remember it."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, tuple[str, object]] = OrderedDict()
        self._alone = OneAtATime()

    async def once(self, key: str, what: str, act: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """What ``act`` answers, and whether it was done before; what raises was not done.

        Raises:
            Refused: something else was done with this key.
        """
        async with self._alone.of(key):
            if key in self._answers:
                done, known = self._answers[key]
                if done != what:
                    raise Refused(422, "idempotency_key_reused", f"this key was used to {done}; take another one")
                return cast("T", known), True
            answer = await act()
            self._answers[key] = what, answer
            while len(self._answers) > _MOST_REMEMBERED:
                self._answers.popitem(last=False)
            return answer, False
