"""Programs of every temper, and what a sandbox must answer to each."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from mendel.contracts.evaluations import MIB, NO_LIMITS_CHANGED, Case, Evaluation, Limits, Program

Holds = Callable[[Evaluation, int], bool]


@dataclass(frozen=True)
class Temper:
    """A program, how often it comes, and whether an answer is right for the number that it was given."""

    name: str
    weight: float
    program: Program
    holds: Holds
    limits: Limits = NO_LIMITS_CHANGED
    cases: int = 1

    def arguments(self, number: int) -> list[Case]:
        return [Case((number + at,)) for at in range(self.cases)]


def _of(*lines: str) -> Program:
    return Program.of("\n".join(lines) + "\n", "solve")


def _kind(kind: str) -> Holds:
    return lambda evaluation, _number: [outcome.kind for outcome in evaluation.outcomes] == [kind]


def _values(function: Callable[[int], object]) -> Holds:
    def hold(evaluation: Evaluation, number: int) -> bool:
        values = [outcome.value if outcome.succeeded else outcome for outcome in evaluation.outcomes]
        return values == [function(number + at) for at in range(len(values))]

    return hold


SHORT = Limits(case_s=0.05)
"""The same kind of zygote as without it: how long a case may take is told with each order."""

OTHER = Limits(memory_bytes=128 * MIB)
ANOTHER = Limits(scratch_bytes=1 * MIB)

TEMPERS = (
    Temper("honest", 100, _of("def solve(x):", "    return x + 1"), _values(lambda x: x + 1)),
    Temper("honest, another kind", 4, _of("def solve(x):", "    return -x"), _values(lambda x: -x), OTHER),
    Temper("honest, a third kind", 2, _of("def solve(x):", "    return [x] * 3"), _values(lambda x: [x] * 3), ANOTHER),
    Temper("many cases", 2, _of("def solve(x):", "    return x * x"), _values(lambda x: x * x), cases=200),
    Temper(
        "large answers", 1, _of("def solve(x):", "    return b'x' * 3_000_000"), _values(lambda _: b"x" * 3_000_000)
    ),
    Temper("raises", 4, _of("def solve(x):", "    raise ValueError(x)"), _kind("exception")),
    Temper("cannot be loaded", 3, _of("import nowhere", "def solve(x): pass"), _kind("exception")),
    Temper("answers with an object", 2, _of("def solve(x):", "    return object()"), _kind("violation")),
    Temper("exits", 3, _of("import os", "def solve(x):", "    os._exit(3)"), _kind("killed")),
    Temper("crashes", 1, _of("import ctypes", "def solve(x):", "    ctypes.string_at(0)"), _kind("killed")),
    Temper("loops", 1, _of("def solve(x):", "    while True: pass"), _kind("timeout"), SHORT),
    Temper("wants all memory", 0.5, _of("def solve(x):", "    return len(b'x' * (1 << 40))"), _kind("memory")),
    Temper(
        "prints a flood", 2, _of("def solve(x):", "    print('y' * 3_000_000)", "    return x"), _values(lambda x: x)
    ),
    Temper(
        "litters",
        3,
        _of(
            "import os",
            "def solve(x):",
            "    os.makedirs('/tmp/a/b')",
            "    for name in range(20):",
            "        with open(f'/tmp/a/b/{name}', 'wb') as file: file.write(b'z' * 10_000)",
            "    return os.listdir('/tmp')",
        ),
        _values(lambda _: ["a"]),
    ),
)


def drawn(draws: random.Random) -> Temper:
    """One of them, each by its weight."""
    return draws.choices(TEMPERS, [temper.weight for temper in TEMPERS])[0]
