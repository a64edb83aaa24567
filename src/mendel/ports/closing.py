"""What most ports have in common at their end: they can be closed, and close themselves at the end of a block."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """An asynchronous context manager that is closed when its block is left."""

    async def aclose(self) -> None:
        """Let go what is held, if anything is. Can be called again."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
