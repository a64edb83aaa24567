"""The children that a conductor has on the fabric, and who waits for their answers."""

from __future__ import annotations

from collections.abc import Mapping

from mendel.contracts.tasks import Task
from mendel.contracts.work import ChildAnswered, ChildAsked
from mendel.kernel.children import answer_of
from mendel.kernel.state import InFlight, RunState
from mendel.ports.task_fabric import TaskLane


class Nursery:
    """Which task performs which child, and which handlers are told what came of it."""

    def __init__(self, lane: TaskLane) -> None:
        self._lane = lane
        self._askers: dict[str, list[ChildAsked]] = {}
        self.tasks: dict[str, str] = {}

    def recall(self, held: Mapping[str, str]) -> None:
        """The fabric has these children already, by task: an earlier conductor began them."""
        self.tasks.update(held)

    def expect(self, child: str, asked: ChildAsked) -> None:
        """A handler waits for that child."""
        self._askers.setdefault(child, []).append(asked)

    def cares_for(self, child: str) -> bool:
        """Whether a task performs it."""
        return child in self.tasks.values()

    async def begin(self, task: Task, flown: InFlight) -> None:
        """Hand a child to the fabric; its marker is durable."""
        self.tasks[task.id] = flown.operation.id
        await self._lane.submit(task, deadline_ms=flown.operation.deadline_ms)

    def take(self, task_id: str) -> str | None:
        """The child whose task has ended, if it is one."""
        return self.tasks.pop(task_id, None)

    async def tell(self, state: RunState) -> None:
        """Hand recorded answers to whoever waits for them, and stop the children whose parents have ended."""
        for task_id, child in list(self.tasks.items()):
            if child not in state.parent_of:
                del self.tasks[task_id]
                await self._lane.cancel(task_id)
        for child in [child for child in self._askers if child not in state.parent_of]:
            for asked in self._askers.pop(child):
                await self._answer(state, child, asked)

    async def _answer(self, state: RunState, child: str, asked: ChildAsked) -> None:
        families = (family for family in state.families.values() if child in family.ended)
        family = next(families, None)
        if family is not None:
            outcome = answer_of(family.ended[child])
            await self._lane.answer(ChildAnswered(task_id=asked.task_id, index=asked.index, outcome=outcome))
