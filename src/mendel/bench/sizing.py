"""Input sizes: for breeding, the largest that the original handles in a short time, and larger ones for the gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.shapes import HELD_SHAPES, usable_shapes
from mendel.bench.oracle import FEW_DEATHS, endless
from mendel.bench.workbench import COUNTING, Workbench
from mendel.contracts.errors import OracleUnfit
from mendel.contracts.evaluations import Case, Outcome
from mendel.ports.sandbox import Sandbox

FIRST: Final = 8
LARGEST: Final = 8_192
SEEN_S: Final = 0.04
"""Time limit for one call of the original on the inputs that breeding times."""
HELD_S: Final = 0.12
"""The same limit on the inputs of the gate."""
BATCH_S: Final = 0.1  # four passes over the timed inputs take about this long
SLOWER: Final = 8.0
"""Factor by which a candidate may be slower than the original."""
OPCODE_S: Final = 2e-8
"""Rough duration of an opcode on a current machine."""
_PROBES: Final = 3
_STEEP: Final = 8
"""If doubling the size multiplies the time by more than this, sizes that double are too far apart."""
_SMALL: Final = 12
_SHORT: Final = frozenset({"empty", "single"})
"""Shapes with a fixed length."""
_WAIT_S: Final = 3.0


@dataclass(frozen=True)
class Sizing:
    """The chosen sizes, and the original's time for one call at the timed size and at the largest."""

    seen: tuple[int, ...]
    timing: int
    timing_cases: int
    held: tuple[int, ...]
    timing_s: float
    held_s: float


async def sizes_for(bench: Workbench, sandbox: Sandbox) -> Sizing:
    """Double the size until the original takes too long, and choose from the sizes that it handles.

    Raises:
        OracleUnfit: the original does not end, even on the smallest size.
    """
    most_s = HELD_S / COUNTING if bench.counted else HELD_S
    took: dict[int, float] = {}
    size = FIRST
    while size <= LARGEST:
        seconds = await _seconds(bench, sandbox, size)
        if seconds is None or (took and seconds > most_s):  # the smallest size counts, even if it is slow
            break
        took[size] = seconds
        size *= 2
    # The next size is far too large: look for sizes in between, or the largest usable one would be unnecessarily small.
    if took and size <= LARGEST and (seconds is None or seconds > _STEEP * took[size // 2]):
        for limit_s in (most_s, most_s * SEEN_S / HELD_S):
            await _refine(bench, sandbox, took, size, limit_s)
    if not took:
        raise OracleUnfit(
            f"{bench.task.function} does not end within {_WAIT_S:g} s on inputs of size {FIRST}; let a task.py make"
            " smaller ones"
        )
    return _chosen(bench, took)


async def _refine(bench: Workbench, sandbox: Sandbox, took: dict[int, float], too_large: int, limit_s: float) -> None:
    """Bisect between the largest size within the limit and the next, until one takes half of the limit."""
    low = max((size for size in took if took[size] <= limit_s), default=min(took))
    high = min((size for size in took if size > low), default=too_large)
    while took[low] < limit_s / 2 and high - low > 1:
        size = (low + high) // 2
        seconds = await _seconds(bench, sandbox, size)
        if seconds is None or seconds > limit_s:
            high = size
        else:
            took[size], low = seconds, size


def _chosen(bench: Workbench, took: dict[int, float]) -> Sizing:
    sizes = sorted(took)
    fixed = bench.task.timing_size if bench.rules.timing_size is not None else None
    bearable = SEEN_S / COUNTING if bench.counted else SEEN_S
    timing = fixed or max((size for size in sizes[:-1] if took[size] <= bearable), default=sizes[0])
    held = tuple(bench.rules.held_sizes) or tuple(size for size in sizes if size > timing)[:2] or (timing,)
    near = min(sizes, key=lambda size: abs(size - timing))  # a user's own size may not be measured
    cases = min(200, max(3, ceil(BATCH_S / max(took[near], 1e-6) / 4)))
    numbers = bench.task.inputs is not None and InputPlan.model_validate(bench.task.inputs).counted
    usual = (2, 4, 7, 12, 25, 50) if numbers else (2, 4, 7, 12, 25)  # numbers alone would give too few inputs
    seen = tuple(bench.rules.sizes) or tuple(dict.fromkeys(min(size, timing) for size in usual))  # no duplicates
    return Sizing(seen, timing, cases, held, took[near], took[sizes[-1]])


async def bearable_shapes(bench: Workbench, sandbox: Sandbox) -> tuple[str, ...] | None:
    """Return the held-out shapes on which the original ends, even with an exception; None without a plan."""
    if bench.task.inputs is None:
        return None
    shapes, outcomes = await _shaped(bench, sandbox, _SMALL, HELD_SHAPES)
    bad = {shape for shape, outcome in zip(shapes, outcomes, strict=True) if endless(outcome)}
    return tuple(dict.fromkeys(shape for shape in shapes if shape not in bad))


async def bearable_when_large(
    bench: Workbench, sandbox: Sandbox, size: int, shapes: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the shapes that the original answers at this size: candidates need not handle, say, too deep recursion."""
    long = [shape for shape in shapes or () if shape not in _SHORT]
    if bench.task.inputs is None or not long:
        return ()
    asked, outcomes = await _shaped(bench, sandbox, size, long)
    bad = {shape for shape, outcome in zip(asked, outcomes, strict=True) if not outcome.succeeded}
    return tuple(dict.fromkeys(shape for shape in asked if shape not in bad))


async def _shaped(
    bench: Workbench, sandbox: Sandbox, size: int, wanted: Sequence[str]
) -> tuple[list[str], tuple[Outcome, ...]]:
    """Run the original on inputs of each usable shape; return each input's shape and outcome."""
    plan = InputPlan.model_validate(bench.task.inputs)
    shapes = [shape for shape in usable_shapes(plan, wanted) for _ in range(_PROBES)]
    drawn = [draw(plan, size=size, shape=shape, seed=bench.seed, index=index) for index, shape in enumerate(shapes)]
    found = await sandbox.evaluate(
        bench.original,
        [Case(args) for args in drawn],
        limits=bench.limits(_WAIT_S),
        grants=bench.grants,
        most_deaths=FEW_DEATHS,
    )
    return shapes, found.outcomes


async def _seconds(bench: Workbench, sandbox: Sandbox, size: int) -> float | None:
    """Return the time of one call, or None if a call does not end.

    If opcodes are the measure, the time is estimated from them, so that every machine chooses the same sizes.
    """
    cases = [Case(args) for args in bench.inputs.timing(size, _PROBES, bench.seed, held=False)]
    found = await sandbox.evaluate(
        bench.original,
        cases,
        limits=bench.limits(_WAIT_S),
        grants=bench.grants,
        most_deaths=1,
        count_opcodes=bench.counted,
    )
    if any(map(endless, found.outcomes)):
        return None
    counted = sum(outcome.opcodes or 0 for outcome in found.outcomes) * OPCODE_S
    return (counted if bench.counted else found.usage.cpu_s) / max(1, len(cases))
