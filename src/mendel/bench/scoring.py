"""From what was observed of a program to the components of its fitness."""

from __future__ import annotations

from math import log2
from typing import Final

from mendel.bench.records import Checked, Timed
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import SpecFailed
from mendel.contracts.evaluations import Program
from mendel.ports.sandbox import Sandbox

LEAST_BYTES: Final = 1 << 18
"""Below a quarter of a mebibyte nobody can tell what memory a program takes of its own."""


def components(checked: Checked, timed: Timed | None) -> dict[str, float]:
    """The gains over the original by objective, each in powers of two; a score is itself."""
    found: dict[str, float] = {name: gained for name, gained in checked.gains.items()}  # noqa: C416 - widens the keys
    if timed is not None:
        found["speed"] = timed.gain
    return found


def descriptor(checked: Checked, timed: Timed | None) -> dict[str, float]:
    """Where the program stands among behaviours, as far as that was measured; memory in powers of two of a mebibyte."""
    found = {"size": float(checked.nodes)}
    if timed is not None:
        found["speed"] = timed.gain
    if checked.peak_memory_bytes:
        found["memory"] = log2(checked.peak_memory_bytes / 2**20)
    return found


def gain(before: float, after: float) -> float:
    """In powers of two, upwards is better."""
    return log2(max(before, 1e-9) / max(after, 1e-9))


def above(peak: int, empty: int) -> int:
    """What a program takes of its own: the interpreter's share is everybody's."""
    return max(peak - empty, LEAST_BYTES)


async def scored(bench: Workbench, program: Program, sandbox: Sandbox) -> float:
    """The score of a program's answers to the timed inputs, on average.

    Raises:
        SpecFailed: it has no answer.
    """
    evaluation = await bench.large(program, sandbox)
    pairs = list(zip(evaluation.outcomes, bench.timed, strict=True))
    if not all(outcome.succeeded for outcome, _ in pairs):
        raise SpecFailed("a program without an answer has no score")
    return sum(bench.rules.rated(outcome.value, args) for outcome, args in pairs) / len(pairs)
