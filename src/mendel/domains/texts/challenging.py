"""Before the gate: a challenger against the champion, on seeds that breeding never saw."""

from __future__ import annotations

from math import ceil, log
from typing import Final

from mendel.contracts.errors import HandlerFailed
from mendel.contracts.evaluations import Program
from mendel.contracts.verdicts import Challenge
from mendel.contracts.work import Answer, Work
from mendel.domains.texts.bench import SCORE, Bench, material, used
from mendel.guard.gate import run_async
from mendel.guard.implementation import Implementation
from mendel.guard.report import Report
from mendel.guard.spec import Property, TaskSpec
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

TIMING_SAMPLES: Final = 5
RECHECKED: Final = 0.1
_ALONE: Final = 0.5
"""Where the seed changes nothing, so many runs must be better, beyond doubt: each is as good as all."""


async def challenge(work: Work, ports: Ports) -> Answer:
    """The step ``texts.challenge``: exact agreement with the champion and more speed, or a higher score.

    Raises:
        HandlerFailed: nobody fixed what the challenge may spend, or the champion has no score.
    """
    bench, files, sandbox = material(work, ports)
    given = work.operation.challenge
    if given is None:
        raise HandlerFailed("no_challenge", "the gate is asked by a challenge only")
    sides = bench.champion(work), bench.program(files, held=True)
    report = await judged(bench, *sides, bench.walled(sandbox), given, work.operation.subject_ids[0])
    return Answer(verdict=report.verdict, usage=used(sandbox))


async def judged(
    bench: Bench, rival: Program, program: Program, sandbox: Sandbox, given: Challenge, candidate_id: str
) -> Report:
    """What the gate says about a program beside its rival, in a sandbox where commands run.

    Raises:
        HandlerFailed: the rival has no score.
    """
    alone = bench.task.objective == SCORE and not bench.task.seeded
    judge = _judged_alone if alone else _judged_in_pairs
    return await judge(bench, rival, program, sandbox, given, candidate_id)


async def _judged_in_pairs(
    bench: Bench, rival: Program, program: Program, sandbox: Sandbox, given: Challenge, candidate_id: str
) -> Report:
    task = bench.task
    fast = task.objective != SCORE
    return await run_async(
        bench.spec,
        Implementation.of_program(rival, "champion"),
        Implementation.of_program(program, "challenger"),
        sandbox=sandbox,
        challenge=given,
        candidate_id=candidate_id,
        policy=f"superiority:margin={task.margin:g}",
        metrics=["time" if fast else SCORE],
        min_speedup=2.0**task.min_gain if fast else 1.0,
        n=cases_for(task.margin, given.alpha),
        timing_samples=TIMING_SAMPLES,
        timeout_s=task.case_s,
        mem_mb=task.memory_mb,
        recheck=0.0 if fast else RECHECKED,  # whoever is timed is run again and again, and compared each time
        shrink=False,  # a seed is no larger than another
        lint=False,
    )


async def _judged_alone(
    bench: Bench, rival: Program, program: Program, sandbox: Sandbox, given: Challenge, candidate_id: str
) -> Report:
    """Where the seed changes nothing: every run scores better than the champion does.

    There is nothing to estimate a difference from; that the answer is always so is what has to be shown.
    """
    mark = await _mark(bench, rival, sandbox)
    sign = bench.task.sign
    better = Property(
        lambda output, *_args: sign * output > sign * mark, f"scores better than the champion's {mark:.9g}"
    )
    spec = TaskSpec(name=bench.spec.name, gen_inputs=bench.held, properties=[better], fmt_in=bench.spec.fmt_in)
    return await run_async(
        spec,
        None,
        Implementation.of_program(program, "challenger"),
        sandbox=sandbox,
        challenge=given,
        candidate_id=candidate_id,
        policy=f"absolute:min_pass_rate={_ALONE:g}",
        n=cases_for(_ALONE, given.alpha),
        timeout_s=bench.task.case_s,
        mem_mb=bench.task.memory_mb,
        shrink=False,  # a seed is no larger than another
        lint=False,
    )


async def _mark(bench: Bench, rival: Program, sandbox: Sandbox) -> float:
    """What the champion scores."""
    case = bench.case(bench.seen_seeds[0], held=True)
    outcome = (await sandbox.evaluate(rival, [case], limits=bench.limits)).outcomes[0]
    if not isinstance(outcome.value, float):
        raise HandlerFailed("no_score", f"the champion has no score: {outcome.message}")
    return outcome.value


def cases_for(margin: float, alpha: float) -> int:
    """As many as it takes to bound the share of differing seeds by the margin."""
    return ceil(log(alpha) / log(1.0 - margin)) + 1
