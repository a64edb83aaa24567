"""Embeddings that never hold up scoring: from a better embedder if it answers, else from a simpler one, with a record.

Vectors of two embedders cannot be compared. A batch is therefore embedded whole by one of them, together with all texts
that it is compared with; a batch is never split.
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

PATIENCE_S: Final = 180.0  # per embedder and batch, its own retries included
_MOST_SAID: Final = 500  # characters of a recorded message


@dataclass(frozen=True, slots=True)
class Known:
    """A text for comparison, and its recorded vectors, by any embedders."""

    text: str
    vectors: tuple[Vector, ...] = ()

    def by(self, embedder: Embedder) -> Vector | None:
        """Return that embedder's recorded vector, if any."""
        return next((vector for vector in self.vectors if vector.embedder == embedder.name), None)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of one embedder: one for each text, and one for each ``known`` text, in order.

    With ``degraded`` they come from the fallback, and numbers computed from them are estimates; or there are none, and
    such numbers are absent. The scoring code records this and flags the component (``FitnessScore.estimated``,
    ``.absent``).
    """

    vectors: tuple[Vector, ...]
    known: tuple[Vector, ...] = ()
    degraded: EmbeddingDegraded | None = None

    @property
    def standing(self) -> Standing:
        """The quality of a component that is computed from these vectors."""
        return self.degraded.standing if self.degraded is not None else "measured"


class DegradingEmbedder(Closing):
    """Calls ``primary``; if that fails for any reason or takes longer than ``patience_s``, calls ``fallback``.

    Retries are up to the primary: a failed batch is not sent to it again. This is not an ``Embedder`` itself, because
    the name of its vectors differs from batch to batch. It remembers no failure, so every batch tries the primary
    first.
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
        """Return this embedder for one operation; only the original is closed."""
        primary, fallback = self._primary.on_account(account), self._fallback.on_account(account)
        return DegradingEmbedder(primary, fallback, patience_s=self._patience_s, account=account)

    async def embed(self, texts: Sequence[str], known: Sequence[Known] = ()) -> Embedded:
        """Return the vectors of all these texts; unavailable embedders never make it raise.

        Of ``known``, only texts without a recorded vector of the answering embedder are embedded.
        """
        answer = await self._asked(self._primary, texts, known)
        if isinstance(answer, Embedded):
            return answer
        second = await self._asked(self._fallback, texts, known)
        if isinstance(second, Embedded):
            return Embedded(second.vectors, second.known, self._degraded("estimated", answer))
        return Embedded((), (), self._degraded("absent", answer, second))

    async def aclose(self) -> None:
        """Close both embedders."""
        await self._primary.aclose()
        await self._fallback.aclose()

    async def _asked(self, embedder: Embedder, texts: Sequence[str], known: Sequence[Known]) -> Embedded | Exception:
        try:
            async with asyncio.timeout(self._patience_s):
                return await _whole(embedder, texts, known)
        # Broad on purpose: an embedder may be a third-party plug-in, and scoring continues whatever it raises.
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
    """Embed all of them with this embedder, in one batch with those of ``known`` that it has not embedded before."""
    recorded = [each.by(embedder) for each in known]
    missing = [each.text for each, vector in zip(known, recorded, strict=True) if vector is None]
    found = await embedder.embed([*texts, *missing])
    fresh = iter(found[len(texts) :])  # the missing ones come after the texts
    compared = tuple(vector if vector is not None else next(fresh) for vector in recorded)
    return Embedded(tuple(found[: len(texts)]), compared)


def _reason(error: Exception) -> str:
    if isinstance(error, ModelCallFailed):
        return error.reason
    if isinstance(error, MendelError):
        return error.code
    return "timeout" if isinstance(error, TimeoutError) else "broken"


def _told(error: Exception) -> str:
    """Describe an error. Mendel's own contain neither texts nor keys; of any other, only the type is shown."""
    if isinstance(error, MendelError):
        return str(error)[:_MOST_SAID] or error.code
    return "no answer in time" if isinstance(error, TimeoutError) else f"it raised {type(error).__name__}"
