"""The steps of programs that measure, and the bench that they share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mendel.bench.auditing import audited
from mendel.bench.challenging import Claim, challenged
from mendel.bench.examining import Examination
from mendel.bench.preparing import clocked, sized, vetted
from mendel.bench.source_domain import REPAIRED
from mendel.bench.timing import Stopwatch, duelled
from mendel.bench.work import Benches, champion_files, used
from mendel.bench.workbench import Workbench
from mendel.breeding.mutators import OFFLINE, Mutator, find_mutator
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.evaluations import Program
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.models import ProgramTask, ProgramTraits, payload, task_of
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


# The steps that measure: the original before a run; a program in the cascade, timing, duel, challenge and audit.


async def vet(work: Work, ports: Ports) -> Answer:
    """The step ``programs.vet``: whether the original, and its tests, can say what is right."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await vetted(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def size(work: Work, ports: Ports) -> Answer:
    """The step ``programs.size``: the sizes that the original bears."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await sized(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def clock(work: Work, ports: Ports) -> Answer:
    """The step ``programs.clock``: what the original takes."""
    bench = BENCHES.of(work)
    return Answer(findings=payload(await clocked(bench, ports.sandbox)), usage=bench.used(ports.sandbox))


async def check(work: Work, ports: Ports) -> Answer:
    """The step ``programs.check``."""
    bench, files, sandbox = material(work, ports)
    examination = Examination(bench, sandbox, files, repairs=_may_be_repaired(bench, work))
    found = await examination.run()
    usage = Usage(opcodes=examination.opcodes) if bench.counted else bench.used(sandbox)
    return Answer(findings=payload(found), usage=usage)


def _may_be_repaired(bench: ProgramBench, work: Work) -> bool:
    """Whether it is worth looking: a repair is not repaired, a plug-in is not told what failed; of the others some."""
    traits = work.material.traits
    again = traits is not None and ProgramTraits.model_validate(traits.data).repairs
    return not again and bench.mutator is None and work.entropy.unit("repair") < REPAIRED


async def time(work: Work, ports: Ports) -> Answer:
    """The step ``programs.time``: a few samples, fewer where it is clearly worse."""
    bench, files, sandbox = material(work, ports)
    found = await Stopwatch(bench.track(sandbox)).timed(bench.program(files), bench.task.reference)
    return Answer(findings=payload(found), usage=bench.used(sandbox))


async def duel(work: Work, ports: Ports) -> Answer:
    """The step ``programs.duel``: on inputs that breeding knows anyway, side by side with the champion."""
    bench, files, sandbox = material(work, ports)
    found = await duelled(bench.track(sandbox), bench.champion(work), bench.program(files))
    return Answer(findings=payload(found), usage=bench.used(sandbox))


async def challenge(work: Work, ports: Ports) -> Answer:
    """The step ``programs.challenge``: exact agreement with the champion, and more speed, or a higher score."""
    bench, files, sandbox = material(work, ports)
    claim = Claim.of(work, bench.champion(work), bench.program(files), sandbox)
    report = await challenged(bench, claim)
    return Answer(verdict=report.verdict, usage=bench.used(sandbox))


async def audit(work: Work, ports: Ports) -> Answer:
    """The step ``programs.audit``."""
    bench, files, sandbox = material(work, ports)
    seed = Entropy(*work.operation.entropy, "audit").word() >> 1
    found = await audited(bench, bench.program(files), sandbox, seed)
    return Answer(findings=payload(found), usage=bench.used(sandbox))
