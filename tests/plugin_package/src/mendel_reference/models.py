"""What the reference domain's data looks like."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mendel.contracts.payloads import DomainPayload

DOMAIN = "reference"


class Model(BaseModel):
    """Closed and immutable, like a contract."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Point(Model):
    """A genome's traits, and what it expresses."""

    values: tuple[float, ...]


class Setting(Model):
    """How a run goes: the target, and how unpleasant the handlers are.

    ``pause_ms`` is the longest that a handler takes, ``fail_one_in`` how often one fails (as its entropy says, so the
    same one fails again), ``ledger`` a file in which every execution leaves a line. With several ``niches`` a point
    competes with those that have as many coordinates above zero, modulo their number. With ``probes`` points are varied
    by a program, too, which runs in the sandbox; with ``ponders`` also by asking for advice on each coordinate, as a
    child operation; with ``wonders`` also by asking the mutator. Where it is ``crowded``, a point is the fitter the
    farther it is from those it is judged beside, and each generation is surveyed as a whole. Where it
    ``renews``, survivors are scored anew in each generation, whose tolerance is smaller. With ``proves``,
    it is found out of each adopted point how much closer than the origin it is.
    """

    target: tuple[float, ...] = (0.25, -0.5, 0.75)
    founders: Annotated[int, Field(ge=1)] = 4
    niches: Annotated[int, Field(ge=1, le=8)] = 1
    pause_ms: Annotated[int, Field(ge=0)] = 0
    fail_one_in: Annotated[int, Field(ge=0)] = 0
    challenge: bool = True
    probes: bool = False
    ponders: bool = False
    wonders: bool = False
    crowded: bool = False
    renews: bool = False
    proves: bool = False
    ledger: str | None = None


class Distance(Model):
    """What a measurement found."""

    squared: float


class Proof(Model):
    """How many times as close to the target as the origin an adopted point is."""

    times: float


class Room(Model):
    """How far a point is from its cohort and how like a neighbour, or how many a generation has with the one before."""

    members: int
    nearest: float | None = None
    alike: float | None = None
    best: float | None = None


class Tolerance(Model):
    """The conditions of a generation: how close counts as there, and what else counts or is proved."""

    squared: float
    crowded: bool = False
    strict: bool = False
    proves: bool = False


class Stride(Model):
    """A parameter of a run under way: how far a nudge goes."""

    length: Annotated[float, Field(gt=0.0)] = 0.4


PAYLOADS: dict[tuple[str, int], type[BaseModel]] = {
    ("point", 1): Point,
    ("setting", 1): Setting,
    ("distance", 1): Distance,
    ("tolerance", 1): Tolerance,
    ("stride", 1): Stride,
    ("room", 1): Room,
    ("proof", 1): Proof,
}

_KINDS = {model: kind for (kind, _), model in PAYLOADS.items()}


def wrapped(value: Model) -> DomainPayload:
    """``value`` under the name of its model."""
    data: dict[str, JsonValue] = value.model_dump(mode="json")
    return DomainPayload(domain=DOMAIN, kind=_KINDS[type(value)], version=1, data=data)


def setting_of(payload: DomainPayload | None) -> Setting:
    """The run's setting, or the usual one."""
    return Setting.model_validate(payload.data) if payload is not None else Setting()
