"""A provider's embedding model, over any wire that supports embeddings."""

from __future__ import annotations

import asyncio
import copy
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mendel.adapters.embeddings.asking import ENVELOPE_BYTES, NUMBER_BYTES, Asking, Provider
from mendel.adapters.embeddings.directions import first_axis
from mendel.contracts.embeddings import MOST_DIMENSIONS, EmbeddingLimits
from mendel.contracts.providers import ModelRoute, Price
from mendel.contracts.scrub import Scrubber
from mendel.ports.embedder import Account, Embedder
from mendel.ports.model_wire import ModelWire
from mendel.ports.observing import NOBODY, CallObserver

_RECIPE: Final = "provider.1"
"""Version of the text preparation: another way would need another name."""
_MOST_ANSWER: Final = 64 * 1024 * 1024  # bytes
_UNSENDABLE: Final = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_NOTHING: Final = ""
FREE: Final = Price(input_microusd=0, output_microusd=0)
DEFAULT_LIMITS: Final = EmbeddingLimits()


class ProviderEmbedder(Embedder):
    """Vectors of ``dimension`` numbers from the model ``model_id`` of ``provider``.

    A text is scrubbed before it is sent (rule 4), truncated to ``limits.bytes_per_text``, and freed of NUL and lone
    surrogates. A text that is blank afterwards is not sent, since providers refuse it, and gets a fixed direction.
    Equal texts are sent once. A call is bounded in texts, bytes, time and size of the answer. Temporary failures are
    retried with growing pauses. Any other failure, and an answer that is not a direction for each text, raises at once
    (:class:`~mendel.contracts.errors.ModelCallFailed`).

    A provider does not guarantee that a text has the same vector tomorrow, so its vectors must be recorded.

    Raises:
        ValueError: ``dimension`` is not from 1 to 65,536.
    """

    def __init__(
        self,
        wire: ModelWire,
        provider: str,
        model_id: str,
        dimension: int,
        *,
        price: Price = FREE,
        limits: EmbeddingLimits = DEFAULT_LIMITS,
        scrubber: Scrubber | None = None,
        observer: CallObserver = NOBODY,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        if not 1 <= dimension <= MOST_DIMENSIONS:
            raise ValueError(f"a dimension is from 1 to {MOST_DIMENSIONS:,}, not {dimension}")
        route = ModelRoute(provider=provider, model_id=model_id)
        scrubber = scrubber or Scrubber()
        self._provider = Provider(wire, route, dimension, price, limits, scrubber, observer, sleep)

    @property
    def name(self) -> str:
        """The recipe, the provider, its model, the dimension and the length limit of texts."""
        asked = self._provider
        return f"{_RECIPE}.{asked.route}.{asked.dimension}.{asked.limits.bytes_per_text}"

    @property
    def dimension(self) -> int:
        """The dimension given at construction; any other in an answer is an error."""
        return self._provider.dimension

    @property
    def model_id(self) -> str:
        """The id of the provider's model."""
        return self._provider.route.model_id

    def on_account(self, account: Account) -> ProviderEmbedder:
        """Return a copy that charges its costs to ``account``; it shares the wire."""
        other = copy.copy(self)
        other._provider = replace(self._provider, account=account)
        return other

    async def aclose(self) -> None:
        """Close the wire."""
        await self._provider.wire.aclose()

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        ready = [self._ready(text) for text in texts]
        found = {_NOTHING: first_axis(self.dimension)}
        for batch in self._batches(list(dict.fromkeys(filter(None, ready)))):
            found.update(zip(batch, await Asking(self._provider, batch).rows(), strict=True))
        return np.stack([found[text] for text in ready])

    def _ready(self, text: str) -> str:
        """Prepare a text for sending. It is scrubbed before truncation: half a key is not recognisable."""
        clean = _UNSENDABLE.sub(_REPLACEMENT, self._provider.scrubber.text(text))
        cut = clean.encode()[: self._provider.limits.bytes_per_text].decode(errors="ignore")  # drops half a character
        return cut if cut.strip() else _NOTHING

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        most = self._texts_per_call()
        batch: list[str] = []
        size = 0
        for text in texts:
            length = len(text.encode())
            if batch and (len(batch) == most or size + length > self._provider.limits.bytes_per_call):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += length
        if batch:
            yield batch

    def _texts_per_call(self) -> int:
        """Return the limit of texts per call; their vectors must fit into the largest answer that a wire accepts."""
        fitting = (_MOST_ANSWER - ENVELOPE_BYTES) // (self.dimension * NUMBER_BYTES)
        return min(self._provider.limits.texts_per_call, fitting)
