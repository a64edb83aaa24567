"""From observations of a program to the components of its fitness."""

from __future__ import annotations

from math import log2
from typing import Final

from mendel.bench.records import Checked, Timed
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import SpecFailed
from mendel.contracts.evaluations import Program
from mendel.ports.sandbox import Sandbox

LEAST_BYTES: Final = 1 << 18
"""Below a quarter of a mebibyte, a program's own memory cannot be told from noise."""


def components(checked: Checked, timed: Timed | None) -> dict[str, float]:
    """Return the gain over the original by objective, each in powers of two; a score is the plain score."""
    found: dict[str, float] = {name: gained for name, gained in checked.gains.items()}  # noqa: C416 - widens the keys
    if timed is not None:
        found["speed"] = timed.gain
    return found


def descriptor(checked: Checked, timed: Timed | None) -> dict[str, float]:
    """Return the program's behaviour, as far as it was measured; memory is in powers of two of a mebibyte."""
    found = {"size": float(checked.nodes)}
    if timed is not None:
        found["speed"] = timed.gain
    if checked.peak_memory_bytes:
        found["memory"] = log2(checked.peak_memory_bytes / 2**20)
    return found


def gain(before: float, after: float) -> float:
    """Return the gain in powers of two; higher is better."""
    return log2(max(before, 1e-9) / max(after, 1e-9))  # a measured zero must not make the gain infinite


def above(peak: int, empty: int) -> int:
    """Return a program's own memory, without the interpreter's share."""
    return max(peak - empty, LEAST_BYTES)


async def scored(bench: Workbench, program: Program, sandbox: Sandbox) -> float:
    """Return the mean score of a program's answers to the timed inputs.

    Raises:
        SpecFailed: the program does not answer every input.
    """
    evaluation = await bench.large(program, sandbox)
    pairs = list(zip(evaluation.outcomes, bench.timed, strict=True))
    if not all(outcome.succeeded for outcome, _ in pairs):
        raise SpecFailed("a program without an answer has no score")
    return sum(bench.rules.rated(outcome.value, args) for outcome, args in pairs) / len(pairs)
