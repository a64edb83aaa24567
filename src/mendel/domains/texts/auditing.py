"""The audit of an adopted text: a comparison with the original, on seeds that nothing used before."""

from __future__ import annotations

from typing import Final

from mendel.bench.timing import COMMANDS, speedup
from mendel.bench.work import used
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import Case, Outcome, Program
from mendel.contracts.work import Answer, Work
from mendel.domains.texts.bench import SCORE, Bench, material
from mendel.domains.texts.examining import failure
from mendel.domains.texts.models import TextAudited, payload
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

CASES: Final = 24


async def audit(work: Work, ports: Ports) -> Answer:
    """Run the step ``texts.audit``: a comparison with the original on fresh seeds."""
    bench, files, sandbox = material(work, ports)
    seed = Entropy(*work.operation.entropy, "audit").word() >> 1
    found = await audited(bench, bench.program(files, held=True), sandbox, seed)
    return Answer(findings=payload(found), usage=used(sandbox))


async def audited(bench: Bench, program: Program, sandbox: Sandbox, seed: int) -> TextAudited:
    """Audit a program on the seeds drawn from ``seed``."""
    cases = [bench.case(each, held=True) for each in bench.held_seeds(CASES, seed)]
    theirs = (await bench.evaluated(bench.original(held=True), cases, sandbox)).outcomes
    ours = (await bench.evaluated(program, cases, sandbox)).outcomes
    if bench.task.objective == SCORE:
        return _by_score(bench, cases, ours, theirs)
    for case, mine, right in zip(cases, ours, theirs, strict=True):
        if not _alike(mine, right):
            told = failure(case, mine, right)
            return TextAudited(agrees=False, cases=CASES, detail=f"{told.given}: {told.got}; right is: {told.expected}")
    return await _by_speed(bench, program, sandbox, cases[: COMMANDS.inputs], theirs)


def _alike(ours: Outcome, right: Outcome) -> bool:
    return (ours.kind, ours.error_type, ours.value) == (right.kind, right.error_type, right.value)


def _by_score(bench: Bench, cases: list[Case], ours: tuple[Outcome, ...], theirs: tuple[Outcome, ...]) -> TextAudited:
    """Require a better mean score, and a score for every seed on which the original has one."""
    deltas: list[float] = []
    for case, mine, right in zip(cases, ours, theirs, strict=True):
        if isinstance(mine.value, float) and isinstance(right.value, float):
            deltas.append(bench.task.sign * (mine.value - right.value))
        elif right.succeeded:  # where the original has no score either, nothing can be compared
            told = failure(case, mine, right)
            return TextAudited(agrees=False, cases=CASES, detail=f"{told.given}: {told.got}")
    gained = sum(deltas) / len(deltas) if deltas else 0.0
    worse = "" if gained > 0.0 else f"on fresh seeds its score is not better than the original's: {gained:+.6g}"
    return TextAudited(agrees=not worse, cases=CASES, detail=worse, gains={"score": gained})


async def _by_speed(
    bench: Bench, program: Program, sandbox: Sandbox, cases: list[Case], theirs: tuple[Outcome, ...]
) -> TextAudited:
    """Require a proven speed-up, with more samples if the first ones do not show it."""

    def right(place: int, outcome: Outcome) -> bool:
        return _alike(outcome, theirs[place])

    try:
        found = await speedup(bench.track(sandbox, cases), bench.original(held=True), program, right)
    except SandboxRefused as error:
        return TextAudited(agrees=False, cases=CASES, detail=f"it cannot be timed: {error}")
    if found is None:
        return TextAudited(agrees=False, cases=CASES, detail="while it was timed, it answered differently")
    timed = found.evidence()
    slower = "" if timed.faster else f"it is not shown to be faster than the original: {timed}"
    return TextAudited(agrees=timed.faster, cases=CASES, detail=slower, sizes=(timed,))
