"""Embeddings that never hold up scoring: a better embedder as long as it answers, else a plainer one, and said so.

Two embedders' vectors say nothing about each other. So a batch is embedded whole by one of them, together with all
that it is compared with; half a batch never changes sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mendel.contracts.embeddings import EmbeddingDegraded, Standing
from mendel.contracts.errors import MendelError, ModelCallFailed
from mendel.ports.closing import Closing
from mendel.ports.embedder import Account, Embedder, Vector

PATIENCE_S: Final = 180.0
_MOST_SAID: Final = 500


@dataclass(frozen=True, slots=True)
class Known:
    """A text that others are compared with, and the vectors that are recorded of it, by whichever embedders."""

    text: str
    vectors: tuple[Vector, ...] = ()

    def by(self, embedder: Embedder) -> Vector | None:
        """What that embedder made of it, if that is recorded."""
        return next((vector for vector in self.vectors if vector.embedder == embedder.name), None)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of one embedder: one for each text, and one for each that is ``known``, in their orders.

    With ``degraded`` they are the fallback's, and what is computed from them is an estimate; or there are none at all,
    and it is absent. Whoever scores records it, and flags the component so (``FitnessScore.estimated``, ``.absent``).
    """

    vectors: tuple[Vector, ...]
    known: tuple[Vector, ...] = ()
    degraded: EmbeddingDegraded | None = None

    @property
    def standing(self) -> Standing:
        """What a component is worth that is computed from these vectors."""
        return self.degraded.standing if self.degraded is not None else "measured"


class DegradingEmbedder(Closing):
    """Asks ``primary``; if that fails, however it does, or takes longer than ``patience_s``, asks ``fallback``.

    Retries are the primary's own: what it gives up is not asked again. No embedder itself, since the name of its
    vectors differs from batch to batch; and nothing of a failure is remembered, so that the primary has its chance
    with every batch.
    """

    def __init__(
        self,
        primary: Embedder,
        fallback: Embedder,
        *,
        patience_s: float = PATIENCE_S,
        account: Account | None = None,
    ) -> None:
        self._primary = primary
        self._fallback = fallback
        self._patience_s = patience_s
        self._account = account

    def on_account(self, account: Account) -> DegradingEmbedder:
        """The same for one operation; closing is left to the first one's owner."""
        primary, fallback = self._primary.on_account(account), self._fallback.on_account(account)
        return DegradingEmbedder(primary, fallback, patience_s=self._patience_s, account=account)

    async def embed(self, texts: Sequence[str], known: Sequence[Known] = ()) -> Embedded:
        """The vectors of the texts and of all that they are compared with; never raises for want of an embedder.

        Of ``known`` only those are embedded that have no vector of whoever answers.
        """
        answer = await self._asked(self._primary, texts, known)
        if isinstance(answer, Embedded):
            return answer
        second = await self._asked(self._fallback, texts, known)
        if isinstance(second, Embedded):
            return Embedded(second.vectors, second.known, self._degraded("estimated", answer))
        return Embedded((), (), self._degraded("absent", answer, second))

    async def aclose(self) -> None:
        """Close both."""
        await self._primary.aclose()
        await self._fallback.aclose()

    async def _asked(self, embedder: Embedder, texts: Sequence[str], known: Sequence[Known]) -> Embedded | Exception:
        try:
            async with asyncio.timeout(self._patience_s):
                return await _whole(embedder, texts, known)
        # Broad on purpose: an embedder may be anybody's plug-in, and whatever it raises, scoring goes on.
        except Exception as error:  # noqa: BLE001
            return error

    def _degraded(self, standing: Literal["estimated", "absent"], *errors: Exception) -> EmbeddingDegraded:
        degraded = EmbeddingDegraded(
            standing=standing,
            primary=self._primary.name,
            fallback=self._fallback.name,
            reason=_reason(errors[0]),
            message="; then ".join(_told(error) for error in errors),
        )
        if self._account is not None:
            self._account.degraded.append(degraded)
        return degraded


async def _whole(embedder: Embedder, texts: Sequence[str], known: Sequence[Known]) -> Embedded:
    """All of them by this embedder, in one batch with those of ``known`` that it has not embedded before."""
    recorded = [each.by(embedder) for each in known]
    missing = [each.text for each, vector in zip(known, recorded, strict=True) if vector is None]
    found = await embedder.embed([*texts, *missing])
    fresh = iter(found[len(texts) :])
    compared = tuple(vector if vector is not None else next(fresh) for vector in recorded)
    return Embedded(tuple(found[: len(texts)]), compared)


def _reason(error: Exception) -> str:
    if isinstance(error, ModelCallFailed):
        return error.reason
    if isinstance(error, MendelError):
        return error.code
    return "timeout" if isinstance(error, TimeoutError) else "broken"


def _told(error: Exception) -> str:
    """Our own errors hold neither texts nor keys; of anybody else's only the kind is told."""
    if isinstance(error, MendelError):
        return str(error)[:_MOST_SAID] or error.code
    return "no answer in time" if isinstance(error, TimeoutError) else f"it raised {type(error).__name__}"
