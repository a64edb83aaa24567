"""From the task of a function to one that is measured: whether it is an oracle, and which sizes it bears."""

from __future__ import annotations

from typing import TypeVar

from mendel.bench.examining import vet_rules
from mendel.bench.oracle import vet, vet_suite
from mendel.bench.planning import Announce
from mendel.bench.records import FunctionTask
from mendel.bench.sizing import bearable_shapes, bearable_when_large, sizes_for
from mendel.bench.timing import Stopwatch
from mendel.bench.workbench import Workbench
from mendel.ports.sandbox import Sandbox

T = TypeVar("T", bound=FunctionTask)


async def measured(task: T, sandbox: Sandbox, *, seed: int, announce: Announce) -> T:
    """The task with all that running the original tells: that it is an oracle, which sizes it bears, how long it takes.

    Raises:
        OracleUnfit: the original cannot say what is right.
        TestsFail: its own tests fail.
        SpecFailed: the user's own rules speak against it.
    """
    announce(f"asking {task.function} what is right")
    bench = Workbench(task, seed)
    await vet(bench, sandbox)
    await vet_suite(bench, sandbox)
    announce("looking for sizes that it can bear")
    sizing = await sizes_for(bench, sandbox)
    shapes = await bearable_shapes(bench, sandbox)
    large = await bearable_when_large(bench, sandbox, max(sizing.held), shapes)
    case_s = max(4.0 if bench.counted else 0.5, 8 * sizing.timing_s)
    sized = task.model_copy(
        update={
            "seen_sizes": sizing.seen,
            "timing_size": sizing.timing,
            "timing_cases": sizing.timing_cases,
            "held_sizes": sizing.held,
            "held_shapes": shapes,
            "large_shapes": large,
            "case_s": case_s,
            "held_case_s": max(2.0, 8 * sizing.held_s),
        }
    )
    await vet_rules(sized, sandbox, seed=seed)
    if "speed" not in task.objectives:
        return sized
    announce(f"timing {task.function} on {sizing.timing_cases} inputs of size {sizing.timing}")
    bench = Workbench(sized, seed)
    reference = await Stopwatch(bench.track(sandbox)).measured(bench.original)
    return sized.model_copy(update={"reference": reference})
