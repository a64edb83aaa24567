"""Moves: the return values of a domain's ``route``. The kernel decides whether, when and at what price to make each."""

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
    """Make a malformed candidate well-formed. A candidate is repaired at most once; a second ``Repair`` drops it."""

    step: StepName
    reason: Text
    inputs: DomainPayload | None = None


class Score(Contract):
    """End the examination with these components of the fitness; the run's scoring policy sets their weights."""

    components: dict[Name, float]
    absent: tuple[Name, ...] = ()
    estimated: tuple[Name, ...] = ()
    descriptor: dict[Name, float] = Field(default_factory=dict)


class Vary(Contract):
    """Breed a successor from this failed candidate's genome (seed 001's repair lab); only together with a ``Drop``."""

    operator: Name
    inputs: DomainPayload | None = None


class Drop(Contract):
    """Reject the candidate."""

    reason: Reason


class Challenge(Contract):
    """Let the gate compare the candidate with the champion; the kernel sets k and the share of the error budget."""

    step: StepName
    inputs: DomainPayload | None = None


class Adopt(Contract):
    """Make the candidate its niche's champion; with ``step``, after a host has adopted it. Requires the gate's yes."""

    step: StepName | None = None
    inputs: DomainPayload | None = None


class Confirm(Contract):
    """Confirm that the adoption held."""


class Revoke(Contract):
    """Revoke an adoption that did not hold; with ``step``, after the host has undone it."""

    reason: Text
    step: StepName | None = None
    inputs: DomainPayload | None = None


class Wait(Contract):
    """Route the subject again after ``for_ms`` milliseconds, at most a week."""

    for_ms: Annotated[int, Field(ge=1, le=7 * 24 * 3_600_000)]


Move = Examine | Repair | Score | Vary | Drop | Challenge | Adopt | Confirm | Revoke | Wait
