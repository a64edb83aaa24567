"""What a domain calls its steps: the word that people read, what kind of examination it is, and event aliases.

In the log every step is an operation with a step name. Domains register words as data; whoever makes a view is handed
the words of all installed domains, and shows a step that has none by its name and its operation's kind.
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
"""Where an operation is; a degraded completion is ``operation.completed``, flagged in its payload."""

StepRole = Literal["check", "review", "novelty", "audit"]
"""A check finds out, a review judges, novelty compares with what there was; an audit takes no part in selection."""

Word = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=60)]
Alias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$", max_length=128)]

_EXAMINING: Final = frozenset({"examine", "challenge"})


class StepWords(Contract):
    """What one step is called.

    ``word`` says what goes on while it is at work: "checking". Without a ``role`` examinations and challenges are
    checks. ``started`` to ``degraded`` are the names that projections and streams show for these phases, beside the
    type that the log has.
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
        """Every alias that it has."""
        found = (self.started, self.completed, self.failed, self.degraded)
        return tuple(alias for alias in found if alias is not None)

    def alias(self, phase: Phase) -> str | None:
        """The name of that phase, if it has one."""
        return {
            "started": self.started,
            "completed": self.completed,
            "failed": self.failed,
            "degraded": self.degraded,
        }[phase]


Wording = Mapping[str, StepWords]
"""The words of every installed domain, by step."""

NO_WORDS: Final[Wording] = MappingProxyType({})


def word_of(wording: Wording, step: str) -> str:
    """What is shown for a step; its name where nobody registered a word."""
    known = wording.get(step)
    return known.word if known is not None else step


def role_of(wording: Wording, step: str, kind: str) -> StepRole | None:
    """What kind of examination a step of an operation of that kind is; none where it is no examination."""
    known = wording.get(step)
    if known is not None and known.role is not None:
        return known.role
    return "check" if kind in _EXAMINING else None


def phase_alias(wording: Wording, step: str, phase: Phase) -> str | None:
    """The alias of a phase of a step, if its domain registered one."""
    known = wording.get(step)
    return known.alias(phase) if known is not None else None


class AliasedEvent(Event):
    """An event of the log as streams show it where its step's domain has a name of its own for it."""

    alias: Alias


def aliased(wording: Wording, event: Event) -> Event:
    """The event with its alias beside its type; the event itself where it has none."""
    alias = _event_alias(wording, event)
    return event if alias is None else AliasedEvent.model_construct(**event.__dict__, alias=alias)


def alias_of(event: Event) -> str | None:
    """The alias that ``aliased`` gave it."""
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
