"""Child operations: what a handler asks for while it works, each recorded before it starts and when it has ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping

from mendel.contracts.energy import Usage
from mendel.contracts.errors import AllowanceSpent, ChildFailed
from mendel.contracts.events.operation import Operation
from mendel.contracts.ids import OperationId, child_id
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.work import Answer, ChildAnswered, Failure

ChildLine = Callable[[str, DomainPayload | None, int], Awaitable[ChildAnswered]]
"""Carries a request for a child (step, inputs, index) to the conductor, and its answer back."""


class Purse(ABC):
    """What an operation may still use, itself and its children together."""

    @abstractmethod
    def take(self, worst: Usage) -> None:
        """Take that much off.

        Raises:
            AllowanceSpent: there is not so much left; nothing was taken.
        """

    @abstractmethod
    def give_back(self, worst: Usage, used: Usage) -> None:
        """Less was used than was taken."""


class ChildOperations:
    """The port through which a handler asks for operations of its own: a tool call, a model's turn.

    A child has a marker before it starts and one completion, both in the log, and is paid from its parent's allowance.
    It is known by its index: whoever performs the parent again, after its conductor died, gets the recorded answer of
    every child that had ended, and none of them is performed twice. So a handler asks for the same children under the
    same indices each time; what one depends on may only be drawn by its entropy or be a child's answer itself.
    """

    def __init__(self, parent: Operation, worst: Mapping[str, Usage], line: ChildLine, purse: Purse) -> None:
        self._parent = parent
        self._worst = worst
        self._line = line
        self._purse = purse

    def operation_of(self, index: int) -> OperationId:
        """The id of the child of that index, whether it was asked for yet or not: what a sample names that it ran."""
        return child_id(int(self._parent.entropy[0]), self._parent.id, index)

    async def perform(self, step: str, inputs: DomainPayload | None = None, *, index: int) -> Answer:
        """The answer of the child of that index; several may be asked for at once.

        Raises:
            ChildFailed: it failed, for the reason that the error has; or it was refused: it asks for more than is left
                of the parent's allowance (``cap_reached``), for a step that the parent's does not name
                (``child_not_named``), or for something else than was recorded under its index (``child_differs``).
        """
        worst = self._worst.get(step)
        if worst is None:
            named = ", ".join(self._worst) or "none"
            raise ChildFailed(
                "child_not_named", f"the step {step} is not one of the children that may be asked: {named}"
            )
        try:
            self._purse.take(worst)
        except AllowanceSpent as error:
            raise ChildFailed("cap_reached", f"the step {step} at its worst does not fit any more: {error}") from error
        answered = await self._line(step, inputs, index)
        outcome = answered.outcome
        if outcome.usage is not None:
            self._purse.give_back(worst, outcome.usage)
        if isinstance(outcome, Failure):
            raise ChildFailed(outcome.error_code, outcome.message)
        return outcome
