"""What is opened when it is first needed: nobody who never embeds reads weights, imports a library or needs a key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.model_calls import CallLimits
from mendel.ports.account import Account
from mendel.ports.embedder import Embedder
from mendel.ports.model_wire import ModelWire, WireAnswer, WireRequest, WireVectors


class OpenedLater(Embedder):
    """The embedder that ``opening`` opens, once, with the first text or the first question for its name.

    What cannot be opened is not tried again: every batch fails with the same error, and ``called`` is its name.
    """

    def __init__(self, called: str, opening: Callable[[], Embedder]) -> None:
        self._called = called
        self._opening = opening
        self._lock = Lock()
        self._inner: Embedder | None = None
        self._error: Exception | None = None

    @property
    def name(self) -> str:
        """The other one's, or what it was to be."""
        try:
            return self._opened().name
        # Broad on purpose: opening may be anybody's plug-in, and who cannot be opened has a name all the same.
        except Exception:  # noqa: BLE001
            return self._called

    @property
    def dimension(self) -> int:
        """The other one's."""
        return self._opened().dimension

    @property
    def model_id(self) -> str:
        """The other one's."""
        return self._opened().model_id

    def on_account(self, account: Account) -> Embedder:
        """The same for one operation; neither is opened by this."""
        return OpenedLater(self._called, lambda: self._opened().on_account(account))

    async def aclose(self) -> None:
        """Close the other one, if it was opened."""
        if self._inner is not None:
            await self._inner.aclose()

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        if self._inner is None:
            await asyncio.to_thread(self._opened)
        return await self._opened()._embed(texts)

    def _opened(self) -> Embedder:
        with self._lock:
            if self._error is not None:
                raise self._error
            if self._inner is None:
                self._inner = self._tried()
            return self._inner

    def _tried(self) -> Embedder:
        try:
            return self._opening()
        except Exception as error:
            self._error = error
            raise


class WireLater(ModelWire):
    """The wire that ``opening`` opens with the first call; what it lacks is told then, by each call anew.

    A key that is missing is looked for again, so that whoever sets it need not begin anew.
    """

    def __init__(self, opening: Callable[[], ModelWire]) -> None:
        self._opening = opening
        self._inner: ModelWire | None = None

    async def complete(self, request: WireRequest) -> WireAnswer:
        """As the other one does."""
        return await self._opened().complete(request)

    async def embed(self, model_id: str, texts: Sequence[str], limits: CallLimits) -> WireVectors:
        """As the other one does."""
        return await self._opened().embed(model_id, texts, limits)

    async def aclose(self) -> None:
        """Close the other one, if it was opened."""
        inner, self._inner = self._inner, None
        if inner is not None:
            await inner.aclose()

    def _opened(self) -> ModelWire:
        if self._inner is None:
            self._inner = self._opening()
        return self._inner
