"""Trials: an input together with its transformed inputs, one for each relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SpecFailed
from mendel.contracts.plain_values import identical
from mendel.guard.spec import Args, MetamorphicRelation, TaskSpec, shown


@dataclass(frozen=True, slots=True)
class Trial:
    """An input, and one transformed input for each relation; None where a relation does not apply to it."""

    index: int
    args: Args
    variants: tuple[Args | None, ...] = ()


class Trials:
    """Makes trials. Transforms receive a copy; ``mutating`` names the relations whose transform changes it in place."""

    def __init__(self, spec: TaskSpec, seed: int) -> None:
        self._spec = spec
        self._entropy = Entropy(seed, "relation")
        self.mutating: set[str] = set()

    def of(self, inputs: Sequence[Args], first: int = 0) -> list[Trial]:
        """Make the trials of some inputs, numbered from ``first``.

        Raises:
            SpecFailed: a transform raised, or an input is not plain data.
        """
        if not self._spec.relations:
            return [Trial(index, args) for index, args in enumerate(inputs, first)]
        return [self.one(index, args) for index, args in enumerate(inputs, first)]

    def one(self, index: int, args: Args) -> Trial:
        """Make the trial of one input."""
        return Trial(index, args, tuple(self._variant(relation, index, args) for relation in self._spec.relations))

    def _variant(self, relation: MetamorphicRelation, index: int, args: Args) -> Args | None:
        handed = copied(args)
        try:
            variant = relation.transformed(handed, self._entropy.word(relation.name, index))
        # Broad on purpose: a task's own code is a boundary, and any error in it is reported as the task's failure.
        except (Exception, SystemExit) as error:
            raise SpecFailed(
                f"task {self._spec.name!r}: the transform of relation {relation.name!r} raised"
                f" {type(error).__name__}: {error} on input {index}: {shown(args)[:500]}"
            ) from error
        try:
            if not identical(handed, args):
                self.mutating.add(relation.name)
        except KeyError as error:
            raise SpecFailed(
                f"task {self._spec.name!r}: input {index} is not plain data: {shown(args)[:500]}"
            ) from error
        return variant


def copied(value: Any) -> Any:  # noqa: ANN401 - any plain value
    """Copy a plain value; the copy shares no mutable object with the original."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, tuple):
        return tuple(copied(item) for item in value)
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, set | bytearray):
        return value.copy()
    return value
