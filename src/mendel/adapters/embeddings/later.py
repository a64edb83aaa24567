"""Embedders and wires that open on first use: until then, no weights are read, no library imported, no key needed."""

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
    """The embedder that ``opening`` returns, opened once: with the first text, or when its name is first read.

    A failed opening is not retried: every batch fails with the same error, and the name is then ``called``.
    """

    def __init__(self, called: str, opening: Callable[[], Embedder]) -> None:
        self._called = called
        self._opening = opening
        self._lock = Lock()
        self._inner: Embedder | None = None
        self._error: Exception | None = None

    @property
    def name(self) -> str:
        """The inner embedder's name, or ``called`` if it cannot be opened."""
        try:
            return self._opened().name
        # Broad on purpose: opening may run any plug-in, and an embedder that cannot be opened still needs a name.
        except Exception:  # noqa: BLE001
            return self._called

    @property
    def dimension(self) -> int:
        """The inner embedder's dimension."""
        return self._opened().dimension

    @property
    def model_id(self) -> str:
        """The inner embedder's model id."""
        return self._opened().model_id

    def on_account(self, account: Account) -> Embedder:
        """Return the same embedder for one operation, without opening it."""
        return OpenedLater(self._called, lambda: self._opened().on_account(account))

    async def aclose(self) -> None:
        """Close the inner embedder, if it was opened."""
        if self._inner is not None:
            await self._inner.aclose()

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        if self._inner is None:
            await asyncio.to_thread(self._opened)  # may take seconds
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
    """The wire that ``opening`` returns, opened with the first call; every call fails until that succeeds.

    Each call tries again, so that a missing key can be supplied without a restart.
    """

    def __init__(self, opening: Callable[[], ModelWire]) -> None:
        self._opening = opening
        self._inner: ModelWire | None = None

    async def complete(self, request: WireRequest) -> WireAnswer:
        """Complete through the inner wire."""
        return await self._opened().complete(request)

    async def embed(self, model_id: str, texts: Sequence[str], limits: CallLimits) -> WireVectors:
        """Embed through the inner wire."""
        return await self._opened().embed(model_id, texts, limits)

    async def aclose(self) -> None:
        """Close the inner wire, if it was opened."""
        inner, self._inner = self._inner, None
        if inner is not None:
            await inner.aclose()

    def _opened(self) -> ModelWire:
        if self._inner is None:
            self._inner = self._opening()
        return self._inner
