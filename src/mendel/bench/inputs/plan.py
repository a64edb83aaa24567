"""A plan of a function's arguments: one kind per parameter, and the ties between arguments."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mendel.bench.inputs.kinds import IntKind, Kind, RecordKind, inside, outer_parts
from mendel.contracts.base import Contract, Count
from mendel.contracts.evaluations import Shape

Tie = Literal["index", "count", "element", "key", "pattern", "variant", "same_length", "same_shape", "product", "nodes"]
"""The meaning of argument ``to`` with respect to argument ``of``: an index into it, a number up to its length, an
element of it, a key of it, a text that it contains, a text that shares parts with it, a list as long as it, a matrix of
its shape, a matrix that it can be multiplied with, or edges between that many nodes."""

Receiver = Literal["none", "class", "instance", "record"]
"""The owner of a method: none, its class, an instance made without arguments, or a dataclass instance, which is then
the first parameter."""


class Relation(Contract):
    """A tie between two arguments; it holds ``always``, or often."""

    tie: Tie
    of: Count
    to: Count
    always: bool = False


class Parameter(Contract):
    """One positional parameter; an optional one is left out in some draws."""

    name: str
    of: Kind
    optional: bool = False


class InputPlan(Contract):
    """The arguments of a function. A plan is recorded in the log and draws the same inputs in every process."""

    parameters: tuple[Parameter, ...]
    relations: tuple[Relation, ...] = ()
    receiver: Receiver = "none"
    origin: Literal["annotations", "examples"] = Field(default="annotations")

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The dataclasses that must be declared to the sandbox."""
        found = {
            each.name: Shape(each.name, tuple(field.name for field in each.fields))
            for parameter in self.parameters
            for each in inside(parameter.of)
            if isinstance(each, RecordKind) and each.kind == "record"
        }
        return tuple(found.values())

    @property
    def scalar(self) -> bool:
        """Whether no argument has a length, so that only a whole number can make an input large."""
        return not any(True for parameter in self.parameters for _ in outer_parts(parameter.of))

    @property
    def small(self) -> frozenset[int]:
        """The places of arguments that stay short in large inputs: those that are looked up or searched for."""
        return frozenset(each.to for each in self.relations if each.tie in ("key", "element", "pattern"))

    @property
    def counted(self) -> bool:
        """Whether only whole numbers can make an input large."""
        return self.scalar and any(isinstance(parameter.of, IntKind) for parameter in self.parameters)
