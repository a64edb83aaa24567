"""What a function is called with: one kind per parameter, and what arguments have to do with each other."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mendel.bench.inputs.kinds import IntKind, Kind, RecordKind, inside, outer_parts
from mendel.contracts.base import Contract, Count
from mendel.contracts.evaluations import Shape

Tie = Literal["index", "count", "element", "key", "pattern", "variant", "same_length", "same_shape", "product", "nodes"]
"""What argument ``to`` has to do with argument ``of``: an index of it, a number up to its length, an element of it, a
key of it, a text that it contains, a text with parts of it, as long as it, a matrix of its shape, a matrix that it can
be multiplied with, edges between so many nodes."""

Receiver = Literal["none", "class", "instance", "record"]
"""Whose method it is: nobody's, its class's, an instance's that is made without arguments, or a dataclass's, which then
is the first parameter."""


class Relation(Contract):
    """A tie between two arguments; ``always``, or often."""

    tie: Tie
    of: Count
    to: Count
    always: bool = False


class Parameter(Contract):
    """One positional parameter; one with a default is left out in some draws."""

    name: str
    of: Kind
    optional: bool = False


class InputPlan(Contract):
    """What a function is called with. It is recorded in the log, and draws the same inputs in every process."""

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
        """Whether no argument has a length, so that a whole number is what makes an input large."""
        return not any(True for parameter in self.parameters for _ in outer_parts(parameter.of))

    @property
    def small(self) -> frozenset[int]:
        """The arguments that stay short however large the input is: what is looked up or looked for in another."""
        return frozenset(each.to for each in self.relations if each.tie in ("key", "element", "pattern"))

    @property
    def counted(self) -> bool:
        """Whether whole numbers are all that can make an input large."""
        return self.scalar and any(isinstance(parameter.of, IntKind) for parameter in self.parameters)
