"""From a function's task as read to one that is measured: whether it is an oracle, and which sizes it can handle."""

from __future__ import annotations

from mendel.bench.examining import vet_rules
from mendel.bench.oracle import vet, vet_suite
from mendel.bench.records import FunctionTask
from mendel.bench.sizing import SLOWER, bearable_shapes, bearable_when_large, sizes_for
from mendel.bench.timing import Stopwatch
from mendel.bench.workbench import Workbench
from mendel.ports.sandbox import Sandbox


async def vetted(bench: Workbench, sandbox: Sandbox) -> FunctionTask:
    """Return the task unchanged after checking that the original can decide what is right.

    Raises:
        OracleUnfit: it cannot.
        TestsFail: its own tests fail.
    """
    await vet(bench, sandbox)
    await vet_suite(bench, sandbox)
    return bench.task


async def sized(bench: Workbench, sandbox: Sandbox) -> FunctionTask:
    """Return the task with the sizes that the original can handle, and the time limit of a call.

    Raises:
        OracleUnfit: the original does not end, even on the smallest size.
        SpecFailed: the original breaks the user's own rules.
    """
    sizing = await sizes_for(bench, sandbox)
    shapes = await bearable_shapes(bench, sandbox)
    large = await bearable_when_large(bench, sandbox, max(sizing.held), shapes)
    case_s = max(4.0 if bench.counted else 0.5, SLOWER * sizing.timing_s)  # counting opcodes slows every call down
    task = bench.task.model_copy(
        update={
            "seen_sizes": sizing.seen,
            "timing_size": sizing.timing,
            "timing_cases": sizing.timing_cases,
            "held_sizes": sizing.held,
            "held_shapes": shapes,
            "large_shapes": large,
            "case_s": case_s,
            "held_case_s": max(2.0, SLOWER * sizing.held_s),
        }
    )
    await vet_rules(task, sandbox, seed=bench.seed)
    return task


async def clocked(bench: Workbench, sandbox: Sandbox) -> FunctionTask:
    """Return the task with the original's time on the timed inputs."""
    reference = await Stopwatch(bench.track(sandbox)).measured(bench.original)
    return bench.task.model_copy(update={"reference": reference})
