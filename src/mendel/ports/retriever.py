"""Port ``Retriever``: finds passages about a query, from any source of background knowledge."""

from __future__ import annotations

import asyncio
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mendel.contracts.retrieval import MAX_PASSAGES, MAX_QUERY, Passage, Retrieval, RetrievalFailure, one_line
from mendel.ports.closing import Closing

GROUP: Final = "mendel.retrievers"
DEFAULT_LIMIT: Final = 5
LONGEST_S: Final = 60.0
"""Upper limit in seconds for one retrieval, whatever a source's own timeout is."""


class RetrievalFailed(Exception):
    """A source failed. The message never contains a key, a header or the query."""

    def __init__(self, reason: RetrievalFailure, message: str) -> None:
        super().__init__(message)
        self.reason: RetrievalFailure = reason


class Retriever(Closing, ABC):
    """Finds passages.

    Obligations of an implementation:

    - ``_retrieve`` returns the passages it found, best first, or raises :class:`RetrievalFailed`. An empty result is a
      valid answer. It bounds its own time and the size of what it reads.
    - A source that can fail has a ``fallback`` that cannot, if its operator needs an answer in every case.
    - Queries and passages are data: neither is logged or quoted in an error, nor is a key (rule 4). A key is read on
      first use, so that none is needed without a query.
    - It may be called concurrently.

    ``retrieve`` is the only entry point and never raises. Its result is recorded, and a replay uses the record without
    calling any source (rule 7).
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The source's name, recorded as the provider of the passages."""

    @property
    def fallback(self) -> Retriever | None:
        """The retriever that is called if this one fails."""
        return None

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """Return at most ``limit`` passages about ``query``.

        Any text is a query: it is reduced to one line of at most ``MAX_QUERY`` characters, and an empty one finds
        nothing. The limit is clamped to the range from 0 to ``MAX_PASSAGES``.
        """
        asked, wanted = one_line(query, MAX_QUERY), min(max(limit, 0), MAX_PASSAGES)
        began = time.monotonic()
        try:
            passages = await self._found(asked, wanted)
        except RetrievalFailed as failed:
            return await self._instead(asked, wanted, failed.reason, began)
        return Retrieval(
            query=asked, limit=wanted, provider=self.name, passages=passages, latency_ms=_milliseconds(began)
        )

    async def _found(self, query: str, limit: int) -> tuple[Passage, ...]:
        if not query or not limit:
            return ()
        try:
            async with asyncio.timeout(LONGEST_S):
                return self._looked_at(await self._retrieve(query, limit))[:limit]
        except RetrievalFailed:
            raise
        except TimeoutError as error:
            raise RetrievalFailed("timeout", f"{self.name} took longer than {LONGEST_S:g} seconds") from error
        # Broad on purpose: an implementation may be third-party code, and a failed search must not end a run.
        except Exception as error:
            raise RetrievalFailed("broken", f"{self.name} raised {type(error).__name__}") from error

    def _looked_at(self, found: Sequence[Passage]) -> tuple[Passage, ...]:
        passages = tuple(found)
        if not all(isinstance(each, Passage) for each in passages):
            raise RetrievalFailed("broken", f"{self.name} did not return passages")
        return passages

    async def _instead(self, query: str, limit: int, failure: RetrievalFailure, began: float) -> Retrieval:
        stand_in = self.fallback
        if stand_in is None:
            return Retrieval(
                query=query, limit=limit, provider=self.name, failure=failure, latency_ms=_milliseconds(began)
            )
        found = await stand_in.retrieve(query, limit)
        return found.model_copy(
            update={"fallback_sourced": True, "failure": failure, "latency_ms": _milliseconds(began)}
        )

    @abstractmethod
    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        """Like ``retrieve``; the query is one non-empty line, and ``limit`` is at least 1.

        Raises:
            RetrievalFailed: the source failed.
        """


class RecordingRetriever(Retriever):
    """Wraps a retriever for one operation and records every retrieval, so that no handler can omit one.

    The owner of the wrapped retriever closes it.
    """

    def __init__(self, inner: Retriever) -> None:
        self._inner = inner
        self.records: list[Retrieval] = []

    @property
    def name(self) -> str:
        """The name of the wrapped retriever."""
        return self._inner.name

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """Delegate to the wrapped retriever and record the result."""
        found = await self._inner.retrieve(query, limit)
        self.records.append(found)
        return found

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        return await self._inner._retrieve(query, limit)


@dataclass(frozen=True)
class RetrieverContext:
    """The context from which any retriever is opened; each uses its part. The environment is never shown (rule 4).

    ``corpus`` is the operator's folder or file of passages; the default is the built-in corpus. ``key_variable`` names
    the environment variable that contains the key for ``endpoint``.
    """

    name: str = "web"
    endpoint: str | None = None
    key_variable: str | None = None
    corpus: Path | None = None
    timeout_s: float = 10.0
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)


OpenRetriever = Callable[[RetrieverContext], Retriever]
"""The type of plug-ins of ``mendel.retrievers``. Opening uses no network and needs no key; an unreadable corpus or an
invalid endpoint is a :class:`~mendel.contracts.errors.ConfigError`.
"""


def _milliseconds(began: float) -> int:
    return round((time.monotonic() - began) * 1_000)
