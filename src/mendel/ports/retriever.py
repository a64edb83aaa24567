"""Port ``Retriever``: passages about a query, from wherever background knowledge comes."""

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
"""So long a source is waited for at most, whatever it promised."""


class RetrievalFailed(Exception):
    """A source brought nothing. No message has a key, a header or the query in it."""

    def __init__(self, reason: RetrievalFailure, message: str) -> None:
        super().__init__(message)
        self.reason: RetrievalFailure = reason


class Retriever(Closing, ABC):
    """Finds passages.

    Obligations of an implementation:

    - ``_retrieve`` answers with the passages that it found, the best first, or raises :class:`RetrievalFailed`. Having
      found nothing is an answer. It bounds its own time and the size of what it reads.
    - A source that can fail has a ``fallback`` that cannot, if its operator wants an answer in every case.
    - A query and a passage are data: neither is logged or put into an error, nor is a key (rule 4). A key is read when
      it is needed, so that whoever never asks needs none.
    - It may be asked by many at once.

    ``retrieve`` is the only door, and never raises: what comes out of it is recorded, and replayed without asking
    anybody (rule 7).
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Who finds the passages: what is recorded as their provider."""

    @property
    def fallback(self) -> Retriever | None:
        """Who answers if this one fails."""
        return None

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """At most ``limit`` passages about ``query``.

        Any text is a query: it is taken as one line of at most ``MAX_QUERY`` characters, and an empty one finds
        nothing. A limit below 0 counts as 0, one above ``MAX_PASSAGES`` as that.
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
        # Broad on purpose: an implementation is somebody else's code, and a search that fails must not end a run.
        except Exception as error:
            raise RetrievalFailed("broken", f"{self.name} raised {type(error).__name__}") from error

    def _looked_at(self, found: Sequence[Passage]) -> tuple[Passage, ...]:
        passages = tuple(found)
        if not all(isinstance(each, Passage) for each in passages):
            raise RetrievalFailed("broken", f"{self.name} answered with something else than passages")
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
        """As ``retrieve``; the query is one line that is not empty, and at least one passage is wanted.

        Raises:
            RetrievalFailed: the source brought nothing.
        """


class RecordingRetriever(Retriever):
    """Another retriever for one operation, and everything retrieved through it so far: no handler can forget one.

    Closing is left to the other's owner.
    """

    def __init__(self, inner: Retriever) -> None:
        self._inner = inner
        self.records: list[Retrieval] = []

    @property
    def name(self) -> str:
        """As the other one is called."""
        return self._inner.name

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """As the other one does."""
        found = await self._inner.retrieve(query, limit)
        self.records.append(found)
        return found

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        return await self._inner._retrieve(query, limit)


@dataclass(frozen=True)
class RetrieverContext:
    """What a retriever is opened with: each takes what it needs. The environment never shows (rule 4).

    ``corpus`` is the operator's folder or file of passages; without one the built-in corpus serves. ``key_variable``
    names the variable that holds the key for ``endpoint``.
    """

    name: str = "web"
    endpoint: str | None = None
    key_variable: str | None = None
    corpus: Path | None = None
    timeout_s: float = 10.0
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)


OpenRetriever = Callable[[RetrieverContext], Retriever]
"""What the plug-ins of ``mendel.retrievers`` are. Opening touches no network and needs no key; a corpus that
cannot be read, or an endpoint that is no address, is a :class:`~mendel.contracts.errors.ConfigError`."""


def _milliseconds(began: float) -> int:
    return round((time.monotonic() - began) * 1_000)
