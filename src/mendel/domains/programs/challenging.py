"""Before the gate: a challenger against the champion, on inputs that breeding never saw."""

from __future__ import annotations

from math import ceil, log
from statistics import median
from typing import Final

from mendel.contracts.errors import HandlerFailed, SandboxRefused
from mendel.contracts.evaluations import Case, Program
from mendel.contracts.verdicts import Challenge
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.examining import material, used
from mendel.domains.programs.models import Duelled, ProgramTraits, payload
from mendel.domains.programs.scoring import scored
from mendel.domains.programs.workbench import Workbench
from mendel.guard.gate import run_async
from mendel.guard.implementation import Implementation
from mendel.guard.report import Report
from mendel.guard.spec import Property, TaskSpec
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

TIMING_SAMPLES: Final = 8
DUELS: Final = 4
AHEAD: Final = 0.93
"""In a duel a challenger takes at most this of the champion's time, in the middle of the samples."""
_ALONE: Final = 0.5
"""Where there is one input only, so many of its calls must be right, beyond doubt: each is as good as all."""


async def duel(work: Work, ports: Ports) -> Answer:
    """The step ``programs.duel``: on inputs that breeding knows anyway, side by side with the champion."""
    bench, files, sandbox = material(work, ports)
    cases = [Case(args) for args in bench.timed]
    rival, program = _champion(bench, work), bench.program(files)
    ratios: list[float] = []
    try:
        async for sample in sandbox.compare(rival, program, cases, limits=bench.limits(), grants=bench.grants):
            ratios.append(sample.ratio)
            if len(ratios) >= DUELS:
                break
    except SandboxRefused:
        pass  # the champion is too fast here to be timed: the gate has larger inputs
    found = Duelled(ratios=tuple(ratios), ahead=not ratios or median(ratios) <= AHEAD)
    return Answer(findings=payload(found), usage=used(bench, sandbox))


async def challenge(work: Work, ports: Ports) -> Answer:
    """The step ``programs.challenge``: exact agreement with the champion, and more speed, or a higher score."""
    bench, files, sandbox = material(work, ports)
    given = work.operation.challenge
    if given is None:
        raise HandlerFailed("no_challenge", "the gate is asked by a challenge only")
    program, rival = bench.program(files), _champion(bench, work)
    judge = _judged_alone if bench.rules.score is not None and not bench.observable else _judged
    report = await judge(bench, rival, program, sandbox, given, work.operation.subject_ids[0])
    return Answer(verdict=report.verdict, usage=used(bench, sandbox))


async def _judged(
    bench: Workbench, rival: Program, program: Program, sandbox: Sandbox, given: Challenge, candidate_id: str
) -> Report:
    task = bench.task
    fast, rated = "speed" in task.objectives, bench.rules.score is not None
    return await run_async(
        bench.spec,
        Implementation.of_program(rival, "champion"),
        Implementation.of_program(program, "challenger"),
        sandbox=sandbox,
        challenge=given,
        candidate_id=candidate_id,
        policy=f"{'superiority' if fast or rated else 'noninferiority'}:margin={task.margin:g}",
        metrics=[
            *(["time"] if fast else []),
            *(["score"] if rated else []),
            *(each.name for each in bench.rules.metrics),
        ],
        min_speedup=2.0**task.min_gain if fast else 1.0,
        n=_cases(task.margin, given.alpha),
        timing_samples=TIMING_SAMPLES,
        timeout_s=task.held_case_s,
        mem_mb=task.memory_mb,
        lint=False,  # the examination did, knowing what the original was forgiven
    )


async def _judged_alone(
    bench: Workbench, rival: Program, program: Program, sandbox: Sandbox, given: Challenge, candidate_id: str
) -> Report:
    """Where there is one input only: every answer is valid, and scores above the champion's.

    There is nothing to estimate a difference from; that the answer is always the same is what has to be shown.
    """
    mark = await scored(bench, rival, sandbox)
    higher = Property(
        lambda output, *args: bench.rules.rated(output, args) > mark, f"scores more than the champion's {mark:.9g}"
    )
    spec = TaskSpec(
        name=bench.spec.name,
        gen_inputs=bench.inputs.held,
        properties=[*bench.rules.properties, higher],
        packages=bench.task.packages,
    )
    return await run_async(
        spec,
        None,
        Implementation.of_program(program, "challenger"),
        sandbox=sandbox,
        challenge=given,
        candidate_id=candidate_id,
        policy=f"absolute:min_pass_rate={_ALONE:g}",
        n=_cases(_ALONE, given.alpha),
        timeout_s=bench.task.held_case_s,
        mem_mb=bench.task.memory_mb,
        lint=False,
    )


def _cases(margin: float, alpha: float) -> int:
    """As many as it takes to bound the share of differing inputs by the margin."""
    return ceil(log(alpha) / log(1.0 - margin)) + 1


def _champion(bench: Workbench, work: Work) -> Program:
    traits = work.material.champion_traits
    return bench.program(ProgramTraits.model_validate(traits.data).files) if traits is not None else bench.original
