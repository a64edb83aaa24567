"""The audit of an adopted program: a comparison with the original, on inputs that nothing used before."""

from __future__ import annotations

from typing import Final

from mendel.bench.judging import against, plain, plainly, told
from mendel.bench.records import Audited, ObjectiveName, SizeEvidence
from mendel.bench.scoring import above, gain, scored
from mendel.bench.timing import FUNCTIONS, Sampling, Track, speedup
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import Case, Outcome, Program
from mendel.guard.trials import Trials
from mendel.ports.sandbox import Sandbox

CASES: Final = 100
ELSEWHERE: Final = FUNCTIONS.at_most(FUNCTIONS.proof)
"""Sampling below the largest size, where nothing is claimed: fewer samples are enough."""


async def audited(bench: Workbench, program: Program, sandbox: Sandbox, seed: int) -> Audited:
    """Audit a program on the inputs of ``seed``."""
    detail = await _disagreement(bench, program, sandbox, seed)
    sizes = await _by_size(bench, program, sandbox, seed) if detail is None else []
    gains = await _gains(bench, program, sandbox, seed) if detail is None else {}
    detail = detail or _slower(bench, sizes) or _worse(gains)
    return Audited(agrees=detail is None, cases=CASES, detail=detail or "", sizes=tuple(sizes), gains=gains)


def _slower(bench: Workbench, found: list[SizeEvidence]) -> str | None:
    """Return a complaint if it is not shown to be faster at the largest size, as adopted programs must be."""
    sizes = _sizes(bench)
    if not sizes:
        return None
    slower = f"at size {sizes[-1]:,} it is not shown to be faster than the original"
    at = next((each for each in found if each.size == sizes[-1]), None)
    if at is None:
        return f"{slower}: it could not be timed often enough"
    return None if at.faster else f"{slower}: {at}"


def _worse(gains: dict[ObjectiveName, float]) -> str | None:
    worse = [name for name, value in gains.items() if value < 0.0]
    return f"on held-out inputs it is worse in {', '.join(worse)}" if len(worse) == len(gains) and worse else None


async def _disagreement(bench: Workbench, program: Program, sandbox: Sandbox, seed: int) -> str | None:
    """Return where the program's answer differs from the original's or breaks the user's rules; None if nowhere."""
    count = CASES if bench.observable else 1  # without arguments there is a single input
    trials = Trials(bench.spec, seed).of(bench.inputs.held(count, seed))
    observer = bench.observer(sandbox, bench.task.held_case_s)
    theirs = (await observer.observe(bench.original, trials)).answers
    ours = (await observer.observe(program, trials)).answers
    for trial, mine, expected in zip(trials, ours, theirs, strict=True):
        breach = against(bench, trial, mine, expected)
        if breach is not None:
            return told(bench, trial, breach)
    return None


async def _gains(bench: Workbench, program: Program, sandbox: Sandbox, seed: int) -> dict[ObjectiveName, float]:
    """Return the gains in objectives without a clock, on inputs of the held-out sizes."""
    found: dict[ObjectiveName, float] = {}
    wanted = bench.task.objectives.keys() - {"speed"}
    if wanted & {"memory", "opcodes"}:
        size = max(bench.task.held_sizes)
        cases = [Case(args) for args in bench.inputs.timing(size, FUNCTIONS.inputs, seed, held=True)]
        before, after = [await bench.measured(each, cases, sandbox) for each in (bench.original, program)]
        if "memory" in wanted:
            empty = await bench.empty_peak(cases, sandbox)
            found["memory"] = gain(*(above(each.usage.peak_memory_bytes, empty) for each in (before, after)))
        if "opcodes" in wanted:
            counts = [sum(outcome.opcodes or 0 for outcome in each.outcomes) for each in (before, after)]
            found["opcodes"] = gain(*counts)
    if "score" in wanted and not bench.observable:
        found["score"] = await scored(bench, program, sandbox) - await scored(bench, bench.original, sandbox)
    return found


def _sizes(bench: Workbench) -> list[int]:
    """Return a size below the one used in breeding, that size, and the held-out ones; none if speed is no objective."""
    if "speed" not in bench.task.objectives:
        return []
    seen = bench.task.timing_size
    return sorted({max(1, seen // 8), seen, *bench.task.held_sizes}) if bench.observable else [seen]


async def _by_size(bench: Workbench, program: Program, sandbox: Sandbox, seed: int) -> list[SizeEvidence]:
    """Return the speed-ups, by size."""
    sizes = _sizes(bench)
    found = [
        await _at_size(bench, program, sandbox, size, seed, FUNCTIONS if size == sizes[-1] else ELSEWHERE)
        for size in sizes
    ]
    return [each for each in found if each is not None]


async def _at_size(
    bench: Workbench, program: Program, sandbox: Sandbox, size: int, seed: int, sampling: Sampling
) -> SizeEvidence | None:
    """Return the speed-up at one size; None if the original is too fast to be timed, or too few answers are right."""
    limits = bench.limits(bench.task.held_case_s)
    cases = [Case(args) for args in bench.inputs.timing(size, FUNCTIONS.inputs, seed, held=True)]
    expected = (await sandbox.evaluate(bench.original, cases, limits=limits, grants=bench.grants)).outcomes

    def right(place: int, outcome: Outcome) -> bool:
        trial = plain(bench, place, cases[place].args)
        return against(bench, trial, plainly(bench, outcome), plainly(bench, expected[place])) is None

    track = Track(sandbox, cases, limits, bench.grants, sampling)
    try:
        found = await speedup(track, bench.original, program, right)
    except SandboxRefused:
        return None
    return found.evidence(size) if found is not None else None
