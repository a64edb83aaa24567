"""Proofs that an attack succeeded. All are observations of the parent; an attack's own claim proves nothing.

Nevertheless, with the sandbox intact, a claim (the word ``succeeded`` as a result) counts against it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mendel.conformance.hostile.corpus import Attack, Proof
from mendel.conformance.hostile.observing import Watch
from mendel.conformance.hostile.targets import Targets
from mendel.contracts.evaluations import Evaluation, Limits, Outcome, TimedSample
from mendel.contracts.plain_values import PlainValue, identical

CLAIM: Final = "succeeded"
LONGEST_PAUSE_S: Final = 2.0
_GRACE_S: Final = 1.0
_DEEPEST: Final = 10_000  # where counting the depth of a value stops
_TASKS_OF_THE_SANDBOX: Final = 8
"""One or two zygotes may be starting during the attack."""


@dataclass
class Evidence:
    """All observations of one attack."""

    attack: Attack
    targets: Targets
    told: Mapping[str, PlainValue]
    limits: Limits
    watch: Watch
    hostname: str
    lifted: bool
    evaluation: Evaluation | None = None
    lost: str = ""
    received: Outcome | None = None
    neighbour: Outcome | None = None
    sample: TimedSample | None = None
    disturbances: list[str] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of each call."""
        return self.evaluation.outcomes if self.evaluation else ()

    @property
    def values(self) -> list[PlainValue]:
        """The values that the calls returned."""
        return [outcome.value for outcome in self.outcomes if outcome.succeeded]

    @property
    def peak(self) -> int:
        """Its peak memory in bytes."""
        return self.evaluation.usage.peak_memory_bytes if self.evaluation else 0

    @property
    def wall_s(self) -> float:
        """Its duration in seconds, as the sandbox reports it."""
        return self.evaluation.usage.wall_s if self.evaluation else 0.0


Found = Iterator[str]


def _secret(seen: Evidence) -> Found:
    told = seen.evaluation.output if seen.evaluation else ""
    said = [told, *(f"{_text(outcome.value)} {outcome.message}" for outcome in seen.outcomes)]
    if any(seen.targets.secret in text for text in said):
        yield "the secret came out"


def _text(value: PlainValue) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return ""  # too long or too deep to print: a leaked secret is neither


def _heard(seen: Evidence) -> Found:
    yield from (f"the {kind} server was reached" for kind in seen.targets.listeners.heard())


def _marker(seen: Evidence) -> Found:
    yield from seen.targets.written()


def _struck(seen: Evidence) -> Found:
    yield from seen.targets.victim.injuries()


def _hostname(seen: Evidence) -> Found:
    if os.uname().nodename != seen.hostname:
        yield "the host's name was changed"


def _holds(seen: Evidence) -> Found:
    """Report what it held. With the sandbox intact every process has its own namespaces, so only descriptors count."""
    if seen.watch.held and (seen.lifted or not seen.attack.holds.startswith("namespace:")):
        yield f"it held {seen.attack.holds}"


def _survivor(seen: Evidence) -> Found:
    yield from seen.survivors


def _memory(seen: Evidence) -> Found:
    most = seen.attack.more_than if seen.attack.proof == "memory" else 2 * seen.limits.memory_bytes
    if seen.peak > most:
        yield f"it used {seen.peak >> 20} MiB"


def _time(seen: Evidence) -> Found:
    calls = seen.attack.cases + 1
    usual = min(seen.limits.batch_s, seen.limits.case_s * calls) + _GRACE_S
    most = seen.attack.more_than if seen.attack.proof == "time" else usual * max(1, len(seen.outcomes))
    if seen.wall_s > most:
        yield f"it took {seen.wall_s:.1f} s"


def _bomb(seen: Evidence) -> Found:
    most = seen.attack.more_than if seen.attack.proof == "bomb" else _TASKS_OF_THE_SANDBOX
    if seen.watch.most_tasks > most:
        yield f"it had {seen.watch.most_tasks} tasks at once"


def _answer(seen: Evidence) -> Found:
    """Report the answer, which exists only outside: it was obtained from us, or a value was mistaken for it."""
    believed = (lambda value: bool(value == seen.targets.answer)) if seen.lifted else _is(seen.targets.answer)
    if any(believed(value) for value in seen.values):
        yield "an answer was accepted that was not computed"


def _is(answer: PlainValue) -> Callable[[PlainValue], bool]:
    return lambda value: identical(value, answer)


def _forged(seen: Evidence) -> Found:
    """Report a forged result. An attack with this proof never returns that value honestly."""
    if seen.attack.proof == "forged" and any(identical(value, seen.told["forged"]) for value in seen.values):
        yield "a result was accepted that the function did not return"


def _untimed(seen: Evidence) -> Found:
    if seen.attack.proof == "untimed" and seen.values and seen.wall_s < seen.attack.more_than:
        yield f"it worked for {seen.attack.more_than} s or more and was charged {seen.wall_s:.3f} s"


def _crossed(seen: Evidence) -> Found:
    if seen.attack.proof == "crossed" and any(_size(value) >= seen.attack.more_than for value in seen.values):
        yield "a value crossed that is larger or deeper than allowed"


def _size(value: PlainValue) -> int:
    if isinstance(value, int):
        return value.bit_length()
    if isinstance(value, list) and len(value) == 1:
        depth = 0
        while isinstance(value, list) and value and depth < _DEEPEST:
            depth, value = depth + 1, value[0]
        return depth
    return len(value) if isinstance(value, list | str | bytes | dict) else 0


def _flooded(seen: Evidence) -> Found:
    most = int(seen.attack.more_than) if seen.attack.proof == "flooded" else seen.limits.output_bytes
    if seen.evaluation and len(seen.evaluation.output) > most:
        yield f"{len(seen.evaluation.output)} characters of output were taken"


def _harness(seen: Evidence) -> Found:
    if seen.lost:
        yield f"the sandbox itself failed: {seen.lost}"


def _next(seen: Evidence) -> Found:
    yield from seen.disturbances


def _message(seen: Evidence) -> Found:
    if seen.received and seen.received.succeeded and identical(seen.received.value, seen.told["message"]):
        yield "another candidate received a message"


def _neighbour(seen: Evidence) -> Found:
    if seen.neighbour and not seen.neighbour.succeeded:
        yield f"the neighbour ended as {seen.neighbour.kind}: {seen.neighbour.message}"


def _unspeakable(seen: Evidence) -> Found:
    """Report an outcome that cannot be stored, sent and printed."""
    for outcome in seen.outcomes:
        said = [outcome.kind, outcome.error_type, outcome.error_code, outcome.message, outcome.line, outcome.opcodes]
        said.append(seen.evaluation.output if seen.evaluation else "")
        try:
            json.dumps(said, ensure_ascii=False).encode()
        except ValueError as error:
            yield f"its outcome cannot be encoded: {error}"
    for number in (number for outcome in seen.outcomes for number in (outcome.line, outcome.opcodes)):
        if number is not None and not 0 <= number < 1 << 63:
            yield "its line or cost is outside the possible range"


def _stalled(seen: Evidence) -> Found:
    most = seen.attack.more_than if seen.attack.proof == "stalled" else LONGEST_PAUSE_S
    if seen.watch.longest_pause_s > most:
        yield f"the parent was blocked for {seen.watch.longest_pause_s:.1f} s"


def _stateful(seen: Evidence) -> Found:
    differs = len({_text(value) for value in seen.values}) > 1
    if seen.attack.proof == "stateful" and differs and seen.evaluation and not seen.evaluation.stateful:
        yield "it remembered earlier calls, and that was not detected"


def _cheated(seen: Evidence) -> Found:
    if seen.sample and not seen.sample.wrong and seen.sample.ratio < 1 / 2:
        yield f"it was rated faster ({seen.sample.ratio:.2f}) with wrong answers while it was timed"


ESCAPES: Final[Mapping[Proof, Callable[[Evidence], Found]]] = {
    "secret": _secret,
    "heard": _heard,
    "marker": _marker,
    "struck": _struck,
    "hostname": _hostname,
    "holds": _holds,
    "survivor": _survivor,
    "memory": _memory,
    "time": _time,
    "bomb": _bomb,
    "crossed": _crossed,
    "flooded": _flooded,
}
FORGERIES: Final[Mapping[Proof, Callable[[Evidence], Found]]] = {
    "answer": _answer,
    "forged": _forged,
    "untimed": _untimed,
    "stateful": _stateful,
    "cheated": _cheated,
}
DISTURBANCES: Final[Mapping[Proof, Callable[[Evidence], Found]]] = {
    "harness": _harness,
    "next": _next,
    "message": _message,
    "neighbour": _neighbour,
    "unspeakable": _unspeakable,
    "stalled": _stalled,
}


def claims(seen: Evidence) -> list[str]:
    """Return what the attack itself claims."""
    return ["it says that it succeeded"] if any(identical(value, CLAIM) for value in seen.values) else []
