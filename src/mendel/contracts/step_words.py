"""Display names of a domain's steps: a word for people, the kind of examination, and event aliases.

In the log every step is an operation with a step name. Domains register their words as data, and views receive the
words of all installed domains. A step without words is shown by its name and the kind of its operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import StringConstraints

from mendel.contracts.base import Contract, StepName
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted

Phase = Literal["started", "completed", "failed", "degraded"]
"""Phase of an operation; ``degraded`` is an ``operation.completed`` with a flag in its payload."""

StepRole = Literal["check", "review", "novelty", "audit"]
"""Kind of examination: a check measures, a review judges, novelty compares with earlier candidates, and an audit has
no effect on selection."""

Word = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=60)]
Alias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$", max_length=128)]

_EXAMINING: Final = frozenset({"examine", "challenge"})


class StepWords(Contract):
    """Display names of one step.

    ``word`` describes the running step, such as "checking". Without a ``role``, examinations and challenges are checks.
    ``started`` to ``degraded`` are aliases that projections and streams show for these phases, in addition to the event
    type in the log.
    """

    step: StepName
    word: Word
    role: StepRole | None = None
    started: Alias | None = None
    completed: Alias | None = None
    failed: Alias | None = None
    degraded: Alias | None = None

    @property
    def aliases(self) -> tuple[str, ...]:
        """Every alias of the step."""
        found = (self.started, self.completed, self.failed, self.degraded)
        return tuple(alias for alias in found if alias is not None)

    def alias(self, phase: Phase) -> str | None:
        """Return the alias of a phase, if there is one."""
        return {
            "started": self.started,
            "completed": self.completed,
            "failed": self.failed,
            "degraded": self.degraded,
        }[phase]


Wording = Mapping[str, StepWords]
"""The words of all installed domains, by step."""

NO_WORDS: Final[Wording] = MappingProxyType({})


def word_of(wording: Wording, step: str) -> str:
    """Return the word for a step, or its name if no word is registered."""
    known = wording.get(step)
    return known.word if known is not None else step


def role_of(wording: Wording, step: str, kind: str) -> StepRole | None:
    """Return the kind of examination of a step; None if an operation of this kind is no examination."""
    known = wording.get(step)
    if known is not None and known.role is not None:
        return known.role
    return "check" if kind in _EXAMINING else None


def phase_alias(wording: Wording, step: str, phase: Phase) -> str | None:
    """Return the alias of a phase of a step, if its domain registered one."""
    known = wording.get(step)
    return known.alias(phase) if known is not None else None


class AliasedEvent(Event):
    """An event as shown in streams, with the alias from the domain of its step."""

    alias: Alias


def aliased(wording: Wording, event: Event) -> Event:
    """Return the event with its alias, or the event itself if there is none."""
    alias = _event_alias(wording, event)
    # The event is validated already: model_construct does not repeat that.
    return event if alias is None else AliasedEvent.model_construct(**event.__dict__, alias=alias)


def alias_of(event: Event) -> str | None:
    """Return the alias that ``aliased`` added, if any."""
    return event.alias if isinstance(event, AliasedEvent) else None


def _event_alias(wording: Wording, event: Event) -> str | None:
    match event.payload:
        case OperationStarted(operation=operation):
            return phase_alias(wording, operation.step, "started")
        case OperationCompleted(step=step, degraded=degraded):
            return phase_alias(wording, step, "degraded" if degraded else "completed")
        case OperationFailed(step=step):
            return phase_alias(wording, step, "failed")
    return None
