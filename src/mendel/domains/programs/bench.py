"""What the steps of programs work with: the bench of the run, and the programs of an operation on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mendel.bench.work import Benches, champion_files, used
from mendel.bench.workbench import Workbench
from mendel.breeding.mutators import OFFLINE, Mutator, find_mutator
from mendel.contracts.energy import Usage
from mendel.contracts.evaluations import Program
from mendel.contracts.work import Work
from mendel.domains.programs.models import ProgramTask, ProgramTraits, task_of
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox


@dataclass
class ProgramBench(Workbench):
    """The bench of a run of programs."""

    task: ProgramTask

    @cached_property
    def mutator(self) -> Mutator | None:
        """Who varies programs, if not the operators here; looked up once, since that looks through all packages."""
        return find_mutator(self.task.mutator) if self.task.mutator != OFFLINE else None

    def used(self, sandbox: Sandbox) -> Usage:
        """What a step used so far; nothing that a clock says where opcodes count."""
        return Usage() if self.counted else used(sandbox)

    def champion(self, work: Work) -> Program:
        """Whom a challenger is compared with."""
        files = champion_files(work)
        return self.program(files) if files is not None else self.original


BENCHES = Benches(task_of, ProgramBench)
material = BENCHES.material


def parents_of(work: Work, ports: Ports) -> tuple[ProgramBench, list[ProgramTraits], Sandbox]:
    """What a variation works with.

    Raises:
        ValueError: the run has no task, or nobody gave the step a sandbox.
    """
    parents = [ProgramTraits.model_validate(each.data) for each in work.material.parents]
    return BENCHES.of(work), parents, ports.sandbox
