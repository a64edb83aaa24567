"""Idempotency keys: a request repeated with one key takes effect once, even across restarts.

The ids of runs and commands are derived from the key, so that a repeated request finds them in the log. Nothing else
needs to be stored.
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
"""The prefix of the correlation id of runs that a server has accepted and must therefore conduct."""
_RANDOM_BITS: Final = 74  # of a UUIDv7
_MOST_REMEMBERED: Final = 256
_SEED_BITS: Final = 31
"""Small enough for every JSON parser."""

IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$",
        description="A text of your choice that identifies the change; a repeated request does not repeat the change.",
        examples=["6f1c2a90-launch"],
    ),
]


def run_id_for(key: str, milliseconds: int) -> RunId:
    """Return the id (UUIDv7) of the run requested with ``key`` at a time; the key determines its random bits."""
    bits = _bits(key, "run", _RANDOM_BITS)
    high, low = bits >> 62, bits & ((1 << 62) - 1)
    return RunId(str(UUID(int=(milliseconds & ((1 << 48) - 1)) << 80 | 7 << 76 | high << 64 | 2 << 62 | low)))


def asked_with(key: str, run_id: str) -> bool:
    """Whether the run was requested with ``key``, at any time."""
    return run_id[14:] == run_id_for(key, 0)[14:]  # all but the time


def seed_for(key: str) -> int:
    """Return the seed of a run without an explicit one; equal keys give equal seeds."""
    return _bits(key, "seed", _SEED_BITS)


def command_id_for(key: str, run_id: str, kind: str) -> str:
    """Return the id of a command, as a UUID of version 8, derived from the key."""
    bits = _bits(f"{run_id} {kind} {key}", "command", 128)
    shaped = bits & ~(0xF << 76) & ~(0x3 << 62) | 8 << 76 | 2 << 62
    return str(UUID(int=shaped))


def print_of(body: BaseModel) -> str:
    """Return a fingerprint of a body, which the log stores as the correlation id of the resulting run."""
    # Not orjson: it rejects numbers beyond 64 bits and lone surrogates, and the body is not validated yet.
    spelled = json.dumps(body.model_dump(mode="json"), sort_keys=True)
    return ACCEPTED + hashlib.blake2b(spelled.encode(), digest_size=16).hexdigest()


def _bits(text: str, purpose: str, count: int) -> int:
    digest = hashlib.blake2b(text.encode(), digest_size=16, person=purpose.encode()).digest()
    return int.from_bytes(digest) >> (128 - count)


class OneAtATime:
    """Serialises requests with the same key."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Hold the key exclusively; its lock is removed with its last user."""
        lock, waiting = self._locks.get(key, (asyncio.Lock(), 0))
        self._locks[key] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._locks.pop(key)
            if waiting > 1:  # otherwise the lock is unused now
                self._locks[key] = lock, waiting - 1


class Remembered:
    """Remembers in memory the results for keys, for actions that leave no trace in the log."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, tuple[str, object]] = OrderedDict()
        self._alone = OneAtATime()

    async def once(self, key: str, what: str, act: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """Do something once per key; return its result, and whether it was done before. Failures are not remembered.

        Raises:
            Refused: the key was used for something else.
        """
        async with self._alone.of(key):
            if key in self._answers:
                done, known = self._answers[key]
                if done != what:
                    raise Refused(422, "idempotency_key_reused", f"this key was used to {done}; use another one")
                return cast("T", known), True
            answer = await act()  # raises: the key stays unused
            self._answers[key] = what, answer
            while len(self._answers) > _MOST_REMEMBERED:
                self._answers.popitem(last=False)
            return answer, False
