"""A steady pace: some events every ten milliseconds, independent of the time that earlier ones took."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

_TICK_S: Final = 0.01


async def paced(items: Sequence[T], rate: int) -> AsyncIterator[Sequence[T]]:
    """Yield ``items`` at a steady rate per second."""
    began, done = time.monotonic(), 0
    while done < len(items):
        due = min(len(items), int((time.monotonic() - began + _TICK_S) * rate))
        if due > done:
            yield items[done:due]
            done = due
        await asyncio.sleep(max(0.0, began + done / rate - time.monotonic()))
