"""Scripted models in memory: fixed answers through the live gateway's machinery."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from mendel.adapters.models.live import LiveGateway
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_wire import ModelWire, WireAnswer, WireFailed, WireRequest
from mendel.ports.observing import NOBODY, CallObserver

Turn = WireAnswer | WireFailed | Callable[[WireRequest], WireAnswer]
"""A scripted provider's reaction to one call: an answer, a failure, or a function of the request."""
Script = Mapping[str, Iterable[Turn]]
"""The turns of every provider, by its name."""

_OVER: Final = "the script of {provider} has no turn for this call"


class ScriptedWire(ModelWire):
    """Uses one turn of its script per call; ``asked`` contains every request received.

    When the script has no more turns, a call fails with an error that is not retried.
    """

    def __init__(self, provider: str, turns: Iterable[Turn]) -> None:
        self._provider = provider
        self._turns = deque(turns)
        self.asked: list[WireRequest] = []

    async def complete(self, request: WireRequest) -> WireAnswer:
        """Return or raise the next turn."""
        self.asked.append(request)
        if not self._turns:
            raise WireFailed("bad_request", _OVER.format(provider=self._provider))
        turn = self._turns.popleft()
        if isinstance(turn, WireFailed):
            raise turn
        return turn if isinstance(turn, WireAnswer) else turn(request)


class MemoryModels(LiveGateway):
    """A gateway with scripted providers. It never sleeps: ``waits`` records the pauses it would have made."""

    def __init__(
        self, plan: ModelPlan, script: Script, *, scrubber: Scrubber | None = None, observer: CallObserver = NOBODY
    ) -> None:
        self.providers: Final = {name: ScriptedWire(name, turns) for name, turns in script.items()}
        self.waits: list[float] = []
        super().__init__(plan, self._provider, scrubber=scrubber, observer=observer, sleep=self._note_wait)

    def _provider(self, name: str) -> ModelWire:
        if name not in self.providers:
            known = ", ".join(sorted(self.providers)) or "none"
            raise WireFailed("not_configured", f"there is no provider {name}; known are {known}", unsent=True)
        return self.providers[name]

    async def _note_wait(self, seconds: float) -> None:
        self.waits.append(seconds)
