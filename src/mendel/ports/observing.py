"""Port ``CallObserver``: observers of model calls. An observer's failure never affects the call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog

from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.providers import ModelRole, ModelRoute

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Trace:
    """The ids under which an observer stores a call, for events to refer to. Only :class:`Several` uses ``parts``."""

    trace_id: str | None = None
    observation_id: str | None = None
    parts: tuple[Trace, ...] = field(default=(), repr=False, compare=False)


class CallObserver(ABC):
    """Watches attempts.

    The caller reports the calls for one question one after the other, in one task. A cancelled call begins and never
    ends.

    Obligations of an implementation: both methods return at once, block nothing, and store no key (rule 4).
    :class:`Watched` catches their exceptions and logs the first one as a diagnostic; the call continues.
    """

    @abstractmethod
    def began(self, role: ModelRole, route: ModelRoute, after: Trace | None = None) -> Trace:
        """Record the start of an attempt; ``after`` is the trace of the previous attempt for the same question."""

    @abstractmethod
    def ended(self, trace: Trace, record: AttemptRecord) -> None:
        """Record the end of an attempt."""

    async def aclose(self) -> None:  # noqa: B027 - most have nothing to release
        """Release all resources in bounded time. Can be called again."""


class _Nobody(CallObserver):
    def began(self, role: ModelRole, route: ModelRoute, after: Trace | None = None) -> Trace:  # noqa: ARG002 - not observed
        return Trace()

    def ended(self, trace: Trace, record: AttemptRecord) -> None:
        """Ignore the call."""


NOBODY: Final[CallObserver] = _Nobody()


class Watched(CallObserver):
    """Wraps an observer so that it cannot disturb a call: its exceptions are dropped, and the first one is logged.

    Only the type of the exception is logged, because its text may quote a prompt, an answer or a key.
    """

    def __init__(self, observer: CallObserver) -> None:
        self._observer = observer
        self._said = False

    def began(self, role: ModelRole, route: ModelRoute, after: Trace | None = None) -> Trace:
        """Return the observer's trace, or one without ids if it fails."""
        trace = Trace()
        with self._forgiving():
            trace = self._observer.began(role, route, after)
        return trace  # noqa: RET504 - without ids where the observer failed

    def ended(self, trace: Trace, record: AttemptRecord) -> None:
        """Report the end to the observer."""
        with self._forgiving():
            self._observer.ended(trace, record)

    async def aclose(self) -> None:
        """Close the observer."""
        with self._forgiving():
            await self._observer.aclose()

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - an observer is a plug-in, and the call matters more
            self._say(error)

    def _say(self, error: Exception) -> None:
        if not self._said:
            self._said = True
            name = type(self._observer).__qualname__
            _log.warning("call_observer_failed", observer=name, error=type(error).__qualname__)


class Several(CallObserver):
    """Several observers as one, each wrapped in :class:`Watched`: a failure affects neither the call nor the others.

    The ids of a call are those of the first observer that has some.
    """

    def __init__(self, *observers: CallObserver) -> None:
        self._observers = tuple(each if isinstance(each, Watched) else Watched(each) for each in observers)

    def began(self, role: ModelRole, route: ModelRoute, after: Trace | None = None) -> Trace:
        """Report the start to each observer."""
        befores: tuple[Trace | None, ...] = (None,) * len(self._observers) if after is None else self._each(after)
        parts = [one.began(role, route, before) for one, before in zip(self._observers, befores, strict=True)]
        shown = next((part for part in parts if part.trace_id is not None), Trace())
        return Trace(shown.trace_id, shown.observation_id, tuple(parts))

    def ended(self, trace: Trace, record: AttemptRecord) -> None:
        """Report the end to each observer, under its own ids."""
        for observer, part in zip(self._observers, self._each(trace), strict=True):
            observer.ended(part, record)

    async def aclose(self) -> None:
        """Close each observer."""
        for observer in self._observers:
            await observer.aclose()

    def _each(self, trace: Trace) -> tuple[Trace, ...]:
        """Return each observer's own trace, or empty ones for a trace that this object did not create."""
        count = len(self._observers)
        return trace.parts if len(trace.parts) == count else (Trace(),) * count
