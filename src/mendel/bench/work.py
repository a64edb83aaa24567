"""Helpers of steps on source: the bench of the run, kept from step to step, and the resources used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, Generic, TypeVar

from mendel.bench.records import SourceTraits, Task, TaskOf
from mendel.contracts.base import JsonObject
from mendel.contracts.canonical import canonical
from mendel.contracts.energy import Usage
from mendel.contracts.work import Work
from mendel.ports.handlers import Ports
from mendel.ports.recording_sandbox import RecordingSandbox
from mendel.ports.sandbox import Sandbox

B = TypeVar("B")
_KEPT: Final = 8  # benches hold the original's answers, so only the most recently used ones stay in memory


class Benches(Generic[B]):
    """The benches of the runs that this process worked on last, each made once from its task and seed."""

    def __init__(self, task_of: TaskOf[Task], make: Callable[[Task, int], B]) -> None:
        self._needed = task_of.needed
        self._make: Callable[[JsonObject, int], B] = lambda data, seed: make(task_of.read(data), seed)
        self._made: OrderedDict[bytes, B] = OrderedDict()

    def of(self, work: Work) -> B:
        """Return the bench of an operation's run.

        Raises:
            ValueError: the run has no task; the message says how to make one.
        """
        config, seed = work.material.config, int(work.operation.entropy[0])
        if config is None:
            raise ValueError(self._needed)
        key = blake2b(canonical([config.data, seed])).digest()  # by content: runs of equal tasks and seeds share it
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._make(config.data, seed)
            if len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return found

    def material(self, work: Work, ports: Ports) -> tuple[B, dict[str, str], Sandbox]:
        """Return what a step on a candidate needs: the bench, the candidate's files, and the sandbox.

        Raises:
            ValueError: the run has no task, or the step no candidate.
        """
        if work.material.traits is None:
            raise ValueError("the step has no candidate to examine")
        return self.of(work), SourceTraits.files_of(work.material.traits), ports.sandbox


def champion_files(work: Work) -> dict[str, str] | None:
    """Return the files of the champion that a challenger is compared with; None if that is the original."""
    traits = work.material.champion_traits
    return SourceTraits.files_of(traits) if traits is not None else None


def used(sandbox: Sandbox) -> Usage:
    """Return the resources that a step has used so far, in the kernel's units."""
    if not isinstance(sandbox, RecordingSandbox):
        return Usage()
    spent = sandbox.used
    return Usage(
        cpu_ms=round(spent.cpu_s * 1e3), wall_ms=round(spent.wall_s * 1e3), peak_memory_bytes=spent.peak_memory_bytes
    )
