"""The closing behaviour that most ports share: ``aclose``, called at the end of an ``async with`` block."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """An asynchronous context manager that closes itself when its block is left."""

    async def aclose(self) -> None:
        """Release all resources, if any. Can be called again."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
