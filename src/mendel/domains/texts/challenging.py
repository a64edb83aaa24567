"""Challenges of texts: the gate compares a challenger with the champion, on seeds that breeding never saw."""

from __future__ import annotations

from typing import Final

from mendel.bench.challenging import Claim, Rating
from mendel.bench.timing import COMMANDS
from mendel.bench.work import used
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.work import Answer, Work
from mendel.domains.texts.bench import SCORE, Bench, material
from mendel.guard.report import Report
from mendel.guard.spec import TaskSpec
from mendel.ports.handlers import Ports

RECHECKED: Final = 0.1  # share of the cases that the gate runs again


async def challenge(work: Work, ports: Ports) -> Answer:
    """Run the step ``texts.challenge``: exact agreement with the champion and more speed, or a higher score.

    Raises:
        HandlerFailed: the operation carries no challenge, or the champion has no score.
    """
    bench, files, sandbox = material(work, ports)
    claim = Claim.of(work, bench.champion(work), bench.program(files, held=True), bench.walled(sandbox))
    report = await judged(bench, claim)
    return Answer(verdict=report.verdict, usage=used(sandbox))


async def judged(bench: Bench, claim: Claim) -> Report:
    """Return the gate's report on a program and its rival, in a sandbox where commands run.

    Raises:
        HandlerFailed: the rival has no score.
    """
    alone = bench.task.objective == SCORE and not bench.task.seeded
    return await (_judged_alone if alone else _judged_in_pairs)(bench, claim)


async def _judged_in_pairs(bench: Bench, claim: Claim) -> Report:
    task = bench.task
    fast = task.objective != SCORE
    return await claim.in_pairs(
        bench.spec,
        f"superiority:margin={task.margin:g}",
        task.margin,
        metrics=["time" if fast else SCORE],
        min_speedup=2.0**task.min_gain if fast else 1.0,
        timing_samples=COMMANDS.gate,
        timeout_s=task.case_s,
        mem_mb=task.memory_mb,
        recheck=0.0 if fast else RECHECKED,  # timed programs run many times, and each answer is compared
        shrink=False,  # a seed is no larger than another
    )


async def _judged_alone(bench: Bench, claim: Claim) -> Report:
    """Judge programs that ignore the seed: every run must score better than the champion."""
    mark = await _mark(bench, claim)
    rating = Rating(bench.metric.extract, "scores better than the champion's {:.9g}", bench.task.sign)
    rules = TaskSpec(name=bench.spec.name, gen_inputs=bench.held, fmt_in=bench.spec.fmt_in)
    limits = {"timeout_s": bench.task.case_s, "mem_mb": bench.task.memory_mb}
    return await claim.alone_above(mark, rating, rules, **limits, shrink=False)


async def _mark(bench: Bench, claim: Claim) -> float:
    """Return the champion's score."""
    case = bench.case(bench.seen_seeds[0], held=True)
    outcome = (await claim.sandbox.evaluate(claim.rival, [case], limits=bench.limits)).outcomes[0]
    if not isinstance(outcome.value, float):
        raise HandlerFailed("no_score", f"the champion has no score: {outcome.message}")
    return outcome.value
