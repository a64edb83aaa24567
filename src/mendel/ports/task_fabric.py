"""Port ``TaskFabric``: delivers operations to handlers and returns their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from mendel.contracts.base import Contract
from mendel.contracts.evaluations import Isolation
from mendel.contracts.tasks import Result, Task
from mendel.contracts.work import ChildAnswered, ChildAsked


class FabricGuarantees(Contract):
    """Optional guarantees of an implementation; a weaker one sets the ones that it lacks to False."""

    survives_its_conductor: bool = True
    kills_overrunning_handlers: bool = True


class TaskLane(ABC):
    """One run's tasks and results. Lanes of different runs are independent.

    Obligations of an implementation:

    - A task is delivered to one worker at a time that has every capability it requires. The tasks of a dead worker are
      delivered again, ``max_deliveries`` times in all. After that the task is a dead letter, and its result is an error
      with the code ``dead_letter``. Nothing else is retried: a handler that raises has answered.
    - Every submitted task that was not cancelled has exactly one result, whatever happens to workers. A result is kept
      until it is acknowledged: when the lane is opened again, it is delivered again.
    - A task past its deadline is stopped, with its worker if need be, and its result is an error with the code
      ``deadline``.
    - A task for a handler that does not exist ends in an error with the code ``unknown_handler``, which lists the known
      ones.
    - After ``cancel`` has returned, no result of that task is delivered, and its handler is no longer running.
    - Results are delivered as they arrive, in any order. No method blocks the event loop.
    """

    @abstractmethod
    async def submit(self, task: Task, *, deadline_ms: int | None = None) -> None:
        """Queue ``task``; submitting a task id again is a no-op.

        Raises:
            FabricClosed: the lane is draining or closed.
        """

    @abstractmethod
    async def results(self) -> Sequence[Result]:
        """Wait for results that this lane has not delivered yet, and return all of them."""

    @abstractmethod
    async def asked(self) -> Sequence[ChildAsked]:
        """Wait for requests for child operations from running handlers, and return all that were not delivered yet.

        A request is delivered once and forgotten with its task: the handler of another attempt requests the child
        again.
        """

    @abstractmethod
    async def answer(self, answered: ChildAnswered) -> None:
        """Pass a child's answer to the handler that requested it; a no-op if the task has ended."""

    @abstractmethod
    async def acknowledge(self, task_ids: Sequence[str]) -> None:
        """Forget these results, because they are recorded. Unknown ids are ignored."""

    @abstractmethod
    async def cancel(self, task_id: str) -> None:
        """Stop the task and drop its result, whatever its state; a no-op for an unknown task."""

    @abstractmethod
    async def outstanding(self) -> Mapping[str, Task]:
        """Return the tasks that are queued, running or not yet acknowledged, by task id."""

    @abstractmethod
    async def drain(self) -> None:
        """Accept no more tasks, and return once none is queued or running."""

    @abstractmethod
    async def dead_letters(self) -> Sequence[Task]:
        """Return the tasks that were given up because every worker that ran them died."""


class TaskFabric(ABC):
    """Opens lanes; shared by every run of a process."""

    guarantees: FabricGuarantees = FabricGuarantees()
    ports: frozenset[str] = frozenset()
    """The ports that its workers open for handlers with steps that name them."""

    @abstractmethod
    async def isolation(self) -> Isolation | None:
        """Return the weakest isolation of all workers for steps that name the sandbox; None if there are none.

        It decides whether a run of untrusted code may start (rule 3). It is therefore measured by the workers' own
        sandboxes, which attempt what each layer forbids, and never read from a setting.

        Raises:
            SandboxUnavailable: a worker's sandbox does not start; the message names the missing layer.
        """

    @abstractmethod
    def lane(self, run_id: str) -> AbstractAsyncContextManager[TaskLane]:
        """Open the run's lane. Leaving it stops its tasks, unless the fabric survives its conductor."""

    @abstractmethod
    async def close(self) -> None:
        """Stop every worker."""
