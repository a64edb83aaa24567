"""Runs attacks against a sandbox in sequence and reports the result of each."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from mendel.conformance.hostile import proofs
from mendel.conformance.hostile.canary import Canary
from mendel.conformance.hostile.corpus import Attack, Proof
from mendel.conformance.hostile.observing import Watch
from mendel.conformance.hostile.proofs import Evidence
from mendel.conformance.hostile.targets import Targets, targets
from mendel.contracts.errors import SandboxError, SandboxFailed
from mendel.contracts.evaluations import Case, Evaluation, Limits, Outcome, Program
from mendel.contracts.plain_values import PlainValue, identical
from mendel.ports.sandbox import EMPTY, Sandbox

_SETTLE_S: Final = 0.02
_MOST_MESSAGE: Final = 200
_OUTLIVE_S: Final = 0.5  # survivors must show that they outlive the evaluation
_HEAD_START_S: Final = 0.25
_NEIGHBOUR: Final = Program.of(
    "def work(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n", "work"
)
_NEIGHBOUR_STEPS: Final = 10_000_000
_NEIGHBOUR_LIMITS: Final = Limits(case_s=3.0)
_HONEST: Final = Program.of(
    "def attack(host):\n    total = 0\n    for i in range(host['steps']):\n        total += i\n    return total\n",
    "attack",
)
_TIMED_STEPS: Final = 200_000


@dataclass(frozen=True, slots=True)
class Met:
    """The result of one attack. ``escaped``, ``forged`` and ``disturbed`` are empty if the sandbox held."""

    name: str
    family: str
    attempted: str
    kind: str
    error_code: str | None
    message: str
    escaped: tuple[str, ...]
    forged: tuple[str, ...]
    disturbed: tuple[str, ...]
    as_expected: bool
    proved: bool
    """Whether the proof in the attack's header was found: the attack reached its goal."""
    seconds: float

    @property
    def held(self) -> bool:
        """Whether the sandbox held in every respect."""
        return self.as_expected and not (self.escaped or self.forged or self.disturbed)


async def run_attacks(
    sandbox: Sandbox, attacks: Iterable[Attack], *, given: Targets | None = None, lifted: bool = False
) -> AsyncIterator[Met]:
    """Run each attack, each followed by a canary in the same sandbox.

    Args:
        sandbox: the sandbox under attack; its static policy is not applied.
        attacks: see :func:`mendel.conformance.hostile.attacks`.
        given: existing targets; by default new ones are created for this call.
        lifted: the protection against the attacks is lifted: their limits are lifted, and their own claims do not
            count.
    """
    async with AsyncExitStack() as stack:
        aims = given if given is not None else await stack.enter_async_context(targets())
        canary = Canary(sandbox)
        for attack in attacks:
            yield await _met(sandbox, attack, aims, canary, lifted=lifted)


async def _met(sandbox: Sandbox, attack: Attack, aims: Targets, canary: Canary, *, lifted: bool) -> Met:
    limits = attack.limits_for(lifted=lifted)
    await canary.learn(limits)
    await aims.restore()
    name = secrets.token_hex(7)  # fits into comm, which has at most 15 characters
    most = int(attack.more_than) if attack.proof == "message" and attack.more_than else _MOST_MESSAGE
    told = {**aims.told(), "name": name, "forged": secrets.token_hex(8), "message": secrets.randbelow(most) + 1}
    seen = Evidence(attack, aims, told, limits, Watch(name, attack.holds), hostname=os.uname().nodename, lifted=lifted)
    began = time.monotonic()
    async with seen.watch:
        try:
            await _WAYS.get(attack.proof, _plainly)(sandbox, seen)
        except SandboxError as error:
            seen.lost = str(error)
    took = time.monotonic() - began
    await asyncio.sleep(_OUTLIVE_S if attack.proof == "survivor" else _SETTLE_S)
    seen.survivors = await seen.watch.survivors()
    seen.disturbances = await canary.disturbances(limits)
    return _judged(seen, took)


async def _plainly(sandbox: Sandbox, seen: Evidence) -> None:
    recheck = 0.0 if seen.attack.proof != "stateful" or seen.lifted else 1.0
    seen.evaluation = await _evaluated(sandbox, seen, seen.told, recheck=recheck)


async def _with_a_message(sandbox: Sandbox, seen: Evidence) -> None:
    """One candidate sends a message; another one, which does not know it, tries to receive it, then or later."""
    innocent = {**seen.told, "message": None}
    program = seen.attack.program("collect")
    if seen.attack.beside:
        # Start two processes first, so that sender and receiver really overlap.
        await asyncio.gather(*[sandbox.evaluate(EMPTY, [Case()], limits=seen.limits) for _ in range(2)])
        receiving = asyncio.ensure_future(sandbox.evaluate(program, [Case((innocent,))], limits=seen.limits))
        await _plainly(sandbox, seen)
        received = await receiving
    else:
        await _plainly(sandbox, seen)
        received = await sandbox.evaluate(program, [Case((innocent,))], limits=seen.limits)
    seen.received = received.outcomes[0]


async def _with_a_neighbour(sandbox: Sandbox, seen: Evidence) -> None:
    attacking = asyncio.ensure_future(_plainly(sandbox, seen))
    await asyncio.sleep(_HEAD_START_S)  # the attack should be running by then
    honest = await sandbox.evaluate(_NEIGHBOUR, [Case((_NEIGHBOUR_STEPS,))], limits=_NEIGHBOUR_LIMITS)
    seen.neighbour = honest.outcomes[0]
    await attacking


async def _timed(sandbox: Sandbox, seen: Evidence) -> None:
    """Time it against an honest program with the same purpose, by the port's own comparison."""
    cases = [Case(({**seen.told, "steps": _TIMED_STEPS + number},)) for number in range(4)]
    right = [sum(range(_TIMED_STEPS + number)) for number in range(4)]

    def check(index: int, outcome: Outcome) -> bool:
        return seen.lifted or (outcome.succeeded and identical(outcome.value, right[index]))

    async for sample in sandbox.compare(_HONEST, seen.attack.program(), cases, check=check, limits=seen.limits):
        seen.sample = sample
        break
    seen.evaluation = await _evaluated(sandbox, seen, {**seen.told, "steps": _TIMED_STEPS})


_WAYS: Final[Mapping[Proof, Callable[[Sandbox, Evidence], Coroutine[None, None, None]]]] = {
    "message": _with_a_message,
    "neighbour": _with_a_neighbour,
    "cheated": _timed,
}


async def _evaluated(
    sandbox: Sandbox, seen: Evidence, told: Mapping[str, PlainValue], *, recheck: float = 0.0
) -> Evaluation:
    cases = [Case((dict(told),))] * seen.attack.cases
    evaluation = await sandbox.evaluate(seen.attack.program(), cases, limits=seen.limits, recheck=recheck)
    if len(evaluation.outcomes) != len(cases):
        raise SandboxFailed(f"{len(cases)} cases returned {len(evaluation.outcomes)} outcomes")
    return evaluation


def _judged(seen: Evidence, took: float) -> Met:
    found = {
        proof: list(look(seen))
        for looks in (proofs.ESCAPES, proofs.FORGERIES, proofs.DISTURBANCES)
        for proof, look in looks.items()
    }
    claimed = [] if seen.lifted else proofs.claims(seen)
    last = seen.outcomes[-1] if seen.outcomes else Outcome("not_run", message=seen.lost)
    return Met(
        name=seen.attack.name,
        family=seen.attack.family,
        attempted=seen.attack.attempted,
        kind=last.kind,
        error_code=last.error_code,
        message=last.message,
        escaped=(*claimed, *_of(found, proofs.ESCAPES)),
        forged=_of(found, proofs.FORGERIES),
        disturbed=_of(found, proofs.DISTURBANCES),
        as_expected=bool(seen.outcomes) and all(map(seen.attack.expects, seen.outcomes)),
        proved=bool(found[seen.attack.proof]),
        seconds=took,
    )


def _of(found: Mapping[Proof, list[str]], kind: Iterable[Proof]) -> tuple[str, ...]:
    return tuple(what for proof in kind for what in found[proof])
