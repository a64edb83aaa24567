"""Port ``TaskFabric``: how operations reach handlers, and how their results come back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from mendel.contracts.base import Contract
from mendel.contracts.evaluations import Isolation
from mendel.contracts.tasks import Result, Task
from mendel.contracts.work import ChildAnswered, ChildAsked


class FabricGuarantees(Contract):
    """What an implementation keeps beyond its obligations; a weaker one says so here, by name."""

    survives_its_conductor: bool = True
    kills_overrunning_handlers: bool = True


class TaskLane(ABC):
    """One run's tasks and results. Lanes of different runs know nothing of each other.

    Obligations of an implementation:

    - A task is delivered to one worker at a time that has every capability it requires. What a dead worker held is
      delivered again, ``max_deliveries`` times in all; after that the task is a dead letter and its result is an
      error with the code ``dead_letter``. Nothing else is retried: a handler that raises has answered.
    - Every task that was submitted and not cancelled has exactly one result, whatever happens to workers. A result
      stays until it is acknowledged: a lane opened again delivers it again.
    - A task past its deadline is stopped, its worker with it if need be, and its result is an error with the code
      ``deadline``.
    - A handler that nobody has is an error with the code ``unknown_handler`` and the names that are known.
    - After ``cancel`` has returned, no result of that task is delivered, and its handler does not run on.
    - Results are delivered as they come, in any order. No method blocks the event loop.
    """

    @abstractmethod
    async def submit(self, task: Task, *, deadline_ms: int | None = None) -> None:
        """Take ``task``; submitting a task id again changes nothing.

        Raises:
            FabricClosed: the lane is draining or closed.
        """

    @abstractmethod
    async def results(self) -> Sequence[Result]:
        """Wait until there is a result that this lane has not delivered yet, and return all there are."""

    @abstractmethod
    async def asked(self) -> Sequence[ChildAsked]:
        """Wait until a running handler asks for a child operation, and return all that were not delivered yet.

        A request is delivered once, and forgotten with its task: the handler of another attempt asks again.
        """

    @abstractmethod
    async def answer(self, answered: ChildAnswered) -> None:
        """Hand a child's answer to the handler that asked for it; one whose task has ended is left alone."""

    @abstractmethod
    async def acknowledge(self, task_ids: Sequence[str]) -> None:
        """The results are recorded: forget them. Unknown ids are ignored."""

    @abstractmethod
    async def cancel(self, task_id: str) -> None:
        """Stop the task, wherever it is; one that is unknown or has ended is left alone, its result is dropped."""

    @abstractmethod
    async def outstanding(self) -> Mapping[str, Task]:
        """The tasks that are queued, running or wait for their results to be acknowledged, by task id."""

    @abstractmethod
    async def drain(self) -> None:
        """Take nothing more, and return once no task is queued or running."""

    @abstractmethod
    async def dead_letters(self) -> Sequence[Task]:
        """The tasks that were given up because worker after worker died of them."""


class TaskFabric(ABC):
    """Where lanes come from; shared by every run of a process."""

    guarantees: FabricGuarantees = FabricGuarantees()
    ports: frozenset[str] = frozenset()
    """The ports that its workers open for handlers whose steps name them."""

    @abstractmethod
    async def isolation(self) -> Isolation | None:
        """What the walls of its workers hold: of those that perform steps which name the sandbox, the weakest.

        None where no worker has a sandbox. A run of untrusted code begins by this word (rule 3), so it is that of the
        workers' own sandboxes, found out by attempting what each layer forbids, and never that of a setting.

        Raises:
            SandboxUnavailable: a worker's sandbox does not start, and says which layer is missing.
        """

    @abstractmethod
    def lane(self, run_id: str) -> AbstractAsyncContextManager[TaskLane]:
        """The run's lane. Leaving it stops what runs in it, unless the fabric survives its conductor."""

    @abstractmethod
    async def close(self) -> None:
        """Stop every worker."""
