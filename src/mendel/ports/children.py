"""Child operations: requests that a handler makes while it works, each recorded before it starts and after it ends."""

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
"""Sends a request for a child (step, inputs, index) to the conductor and returns its answer."""


class Purse(ABC):
    """The remaining allowance of an operation, shared with its children."""

    @abstractmethod
    def take(self, worst: Usage) -> None:
        """Deduct this much.

        Raises:
            AllowanceSpent: less than that is left; nothing was deducted.
        """

    @abstractmethod
    def give_back(self, worst: Usage, used: Usage) -> None:
        """Return the difference between the deducted worst case and the actual usage."""


class ChildOperations:
    """The port through which a handler requests operations of its own: a tool call, a model's turn.

    A child has a marker before it starts and one completion, both in the log, and is paid from its parent's allowance.
    It is identified by its index. When a parent is performed again after its conductor died, every child that had ended
    returns its recorded answer and is not performed twice. A handler must therefore request the same children under the
    same indices each time; anything that a child depends on may only be drawn from the handler's entropy or be the
    answer of another child.
    """

    def __init__(self, parent: Operation, worst: Mapping[str, Usage], line: ChildLine, purse: Purse) -> None:
        self._parent = parent
        self._worst = worst
        self._line = line
        self._purse = purse

    def operation_of(self, index: int) -> OperationId:
        """Return the operation id of the child with that index, requested or not; samples refer to it."""
        return child_id(int(self._parent.entropy[0]), self._parent.id, index)

    async def perform(self, step: str, inputs: DomainPayload | None = None, *, index: int) -> Answer:
        """Return the answer of the child with that index; several may be requested at once.

        Raises:
            ChildFailed: it failed, with the reason in the error, or it was refused: it needs more than is left of the
                parent's allowance (``cap_reached``), its step is not one that the parent's step names
                (``child_not_named``), or the request differs from the one recorded under its index (``child_differs``).
        """
        worst = self._worst.get(step)
        if worst is None:
            named = ", ".join(self._worst) or "none"
            raise ChildFailed("child_not_named", f"the step {step} is not one of the permitted children: {named}")
        try:
            self._purse.take(worst)  # at the worst case: concurrent children must not overspend together
        except AllowanceSpent as error:
            raise ChildFailed(
                "cap_reached", f"the worst case of the step {step} no longer fits the allowance: {error}"
            ) from error
        answered = await self._line(step, inputs, index)
        outcome = answered.outcome
        # Unknown usage stays charged at the worst case.
        if outcome.usage is not None:
            self._purse.give_back(worst, outcome.usage)
        if isinstance(outcome, Failure):
            raise ChildFailed(outcome.error_code, outcome.message)
        return outcome
