"""Moves: what a domain's ``route`` may answer. The kernel decides whether, when and at what price each is made."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mendel.contracts.base import Contract, Name, StepName, Text
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Reason


class Examine(Contract):
    """Observe the subject; with ``other``, compare it with a second candidate as a pair."""

    step: StepName
    inputs: DomainPayload | None = None
    other: str | None = None


class Repair(Contract):
    """Make a malformed candidate well-formed. A candidate is repaired once; a second wish is the end of it."""

    step: StepName
    reason: Text
    inputs: DomainPayload | None = None


class Score(Contract):
    """The evidence is complete; these are the components of the fitness. How they weigh is not the domain's."""

    components: dict[Name, float]
    absent: tuple[Name, ...] = ()
    estimated: tuple[Name, ...] = ()
    descriptor: dict[Name, float] = Field(default_factory=dict)


class Vary(Contract):
    """Breed a successor from this failed candidate's genome (seed 001's repair lab); comes with a ``Drop``."""

    operator: Name
    inputs: DomainPayload | None = None


class Drop(Contract):
    """The candidate is out."""

    reason: Reason


class Challenge(Contract):
    """Let the gate compare the candidate with the champion; the kernel fixes k and what it may spend."""

    step: StepName
    inputs: DomainPayload | None = None


class Adopt(Contract):
    """Make the candidate its niche's champion; with ``step``, a host takes it in first. Needs the gate's yes."""

    step: StepName | None = None
    inputs: DomainPayload | None = None


class Confirm(Contract):
    """The adoption held."""


class Revoke(Contract):
    """The adoption did not hold; with ``step``, the host gives it up first."""

    reason: Text
    step: StepName | None = None
    inputs: DomainPayload | None = None


class Wait(Contract):
    """Ask again after so many milliseconds."""

    for_ms: Annotated[int, Field(ge=1, le=7 * 24 * 3_600_000)]


Move = Examine | Repair | Score | Vary | Drop | Challenge | Adopt | Confirm | Revoke | Wait
