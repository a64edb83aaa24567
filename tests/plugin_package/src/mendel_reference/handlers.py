"""The reference domain's handlers: pure in what they answer, and as slow and unreliable as the run's setting asks."""

from __future__ import annotations

import os
import time
from hashlib import sha256
from math import sqrt

from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.evaluations import Case, Program
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Decision, Provenance, Reason, SandboxProvenance, Verdict
from mendel.contracts.work import Answer, Work
from mendel.ports.handlers import Ports
from mendel_reference.models import Distance, Point, Proof, Room, Setting, Stride, setting_of, wrapped

USAGE = Usage(cpu_ms=100)


def nudge(work: Work) -> Answer:
    """One coordinate of one parent moves a little: as far as the run's parameters say, and as its dial pulls."""
    _suffer(work)
    values = list(_point(work.material.parents[0]).values)
    axis = work.entropy.below(len(values), "axis")
    told, hints = work.material.parameters, work.material.hints
    length = Stride.model_validate(told.data).length if told is not None else Stride().length
    shift = (work.entropy.unit("shift") - 0.5 + (hints.generation_bias if hints is not None else 0.0)) * length
    values[axis] += shift
    return Answer(traits=wrapped(Point(values=tuple(values))), choices={"axis": axis, "shift": shift}, usage=USAGE)


def blend(work: Work) -> Answer:
    """Each coordinate comes from one of two parents."""
    _suffer(work)
    mother, father = (_point(parent).values for parent in work.material.parents[:2])
    mask = [work.entropy.below(2, "mask", axis) for axis in range(len(mother))]
    values = tuple(f if taken else m for m, f, taken in zip(mother, father, mask, strict=True))
    return Answer(traits=wrapped(Point(values=values)), choices={"mask": list(mask)}, usage=USAGE)


HALVED = Program.of("def halved(value):\n    return value / 2\n", "halved")


async def probe(work: Work, ports: Ports) -> Answer:
    """A program halves every coordinate."""
    values = _point(work.material.parents[0]).values
    ran = await ports.sandbox.evaluate(HALVED, [Case((value,)) for value in values])
    halves = tuple(float(str(outcome.value)) for outcome in ran.outcomes)
    return Answer(traits=wrapped(Point(values=halves)), choices={"probed": len(halves)})


async def ponder(work: Work, ports: Ports) -> Answer:
    """Each coordinate is moved as somebody advises, who is asked for it as a child operation."""
    values = _point(work.material.parents[0]).values
    advice = [
        await ports.children.perform("reference.advise", wrapped(Point(values=(value,))), index=axis)
        for axis, value in enumerate(values)
    ]
    moved = tuple(_point(each.findings).values[0] for each in advice if each.findings is not None)
    return Answer(traits=wrapped(Point(values=moved)), choices={"asked": len(advice)}, usage=USAGE)


def advise(work: Work) -> Answer:
    """One coordinate, a little nearer to nought."""
    _suffer(work)
    if work.operation.inputs is None:
        raise HandlerFailed("no_inputs", "there is nothing to advise on")
    (value,) = _point(work.operation.inputs).values
    return Answer(findings=wrapped(Point(values=(0.9 * value,))), usage=Usage(tool_calls=1))


def measure(work: Work) -> Answer:
    """How far the point is from the target."""
    setting = _suffer(work)
    if work.material.content is None:
        raise HandlerFailed("no_content", "there is nothing to measure")
    return Answer(findings=wrapped(Distance(squared=_squared(work.material.content, setting))), usage=USAGE)


def room(work: Work) -> Answer:
    """How far the point is from the nearest one of its cohort, and how fit the fittest is whose score is known."""
    _suffer(work)
    if work.material.content is None:
        raise HandlerFailed("no_content", "there is nothing to measure")
    own, cohort = _point(work.material.content).values, work.material.cohort
    others = [_point(each.content).values for each in cohort]
    nearest = min((sum((a - b) ** 2 for a, b in zip(own, each, strict=True)) for each in others), default=None)
    best = max((each.total for each in cohort if each.total is not None), default=None)
    alike = max((each.similarity for each in work.material.neighbours), default=None)
    return Answer(findings=wrapped(Room(members=len(cohort), nearest=nearest, best=best, alike=alike)), usage=USAGE)


def survey(work: Work) -> Answer:
    """How many a generation and the one before it have, and how fit the fittest is."""
    _suffer(work)
    totals = [each.total for each in work.material.cohort if each.total is not None]
    found = Room(members=len(work.material.cohort), best=max(totals, default=None))
    return Answer(findings=wrapped(found), usage=USAGE)


def prove(work: Work) -> Answer:
    """How many times as close to the target as the origin it is."""
    setting = _suffer(work)
    if work.material.content is None:
        raise HandlerFailed("no_content", "there is nothing to prove")
    far = sum(goal**2 for goal in setting.target)
    return Answer(
        findings=wrapped(Proof(times=sqrt(far / max(_squared(work.material.content, setting), 1e-9)))), usage=USAGE
    )


def gate(work: Work) -> Answer:
    """Whether the challenger is closer than the champion; with no champion, whether it is close at all."""
    setting = _suffer(work)
    content, champion, challenge = work.material.content, work.material.champion, work.operation.challenge
    if content is None or challenge is None:
        raise HandlerFailed("no_content", "there is nothing to challenge with")
    bound = _squared(champion, setting) if champion is not None else 4.0
    better = _squared(content, setting) < bound
    verdict = Verdict(
        candidate_id=work.operation.subject_ids[0],
        decision=Decision.ADOPT if better else Decision.REJECT,
        mode="exact",
        policy="closer",
        challenge=challenge,
        n=1,
        reasons=(Reason(code="closer" if better else "not_closer", message="by its distance to the target"),),
        provenance=Provenance(
            sandbox=SandboxProvenance(tier="none"),
            spec_hash=sha256(repr(setting.target).encode()).hexdigest(),
            candidate_hash=sha256(repr(content.data).encode()).hexdigest(),
        ),
    )
    return Answer(verdict=verdict, usage=USAGE)


def _squared(payload: DomainPayload, setting: Setting) -> float:
    return sum((value - goal) ** 2 for value, goal in zip(_point(payload).values, setting.target, strict=True))


def _point(payload: DomainPayload) -> Point:
    return Point.model_validate(payload.data)


def _suffer(work: Work) -> Setting:
    """Leave a line, take a while, and perhaps fail: always alike for the same operation."""
    setting = setting_of(work.material.config)
    if setting.ledger is not None:
        _note(setting.ledger, f"begin {work.operation.id} {work.attempt}")
    if setting.pause_ms:
        time.sleep(setting.pause_ms * work.entropy.unit("pause") / 1_000)
    if setting.ledger is not None:
        _note(setting.ledger, f"end {work.operation.id} {work.attempt}")
    if setting.fail_one_in and work.entropy.below(setting.fail_one_in, "fail") == 0:
        raise HandlerFailed("unlucky", "one of those that fail", usage=USAGE)
    return setting


def _note(ledger: str, line: str) -> None:
    descriptor = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, f"{line}\n".encode())
    finally:
        os.close(descriptor)
