"""``time_to_best``: seconds from `mendel evolve` to an adopted winner, for each example and five seeds, offline.

Each run is a separate process with an empty home; its only options are its seed and those in the example's first lines.
Seconds are counted from the start of the process to the event `adoption.made`. They include starting the database,
running the oracle and choosing sizes; the best-of-N run for comparison comes later.

* `bad_sort_seeds_ok`: seeds with a winner of at least 20 times the speed at the largest held-out size within 60 s;
  `bad_sort_worst_s`: the slowest of them (a run without one counts as an hour); `bad_sort_worst_units`: the same
  in machine units, the median time of a fixed piece of Python on this machine during these runs.
* `NAME_s`, `NAME_gain`: medians over the seeds; -1 s if no seed has a winner. The gain is the speed-up at the
  largest held-out size, or the factor in memory or score if that is the objective.
* `generated_solved`: the share of functions made from a seed (:mod:`benchmarks.generated_functions`) with an adopted
  winner of at least twice the speed. `python -m benchmarks time_to_best --seed N` takes another seed than 1.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.generated_functions import FUNCTION, generate
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.time_to_best_runs import EvolveFailed, Run, Target, evolve

BAD_SORT: Final = "bad_sort"
ENOUGH: Final = 20.0
WITHIN_S: Final = 60.0
NEVER_S: Final = 3_600.0
"""The time of a run without such a winner, since a run that gives up early is not fast."""
SOLVED: Final = 2.0
REPORTED: Final = ">= 0"
"""The aim of figures without an aim: every value meets it."""
_UNIT_ROUNDS: Final = 9


class Sizes(NamedTuple):
    """The amount of work; ``seconds`` limits the breeding time of each run, None leaves the default."""

    seeds: int
    examples: int
    generated: int
    seconds: float | None
    best_of_n: bool


FULL: Final = Sizes(seeds=5, examples=8, generated=10, seconds=None, best_of_n=True)
QUICK: Final = Sizes(seeds=1, examples=2, generated=1, seconds=15.0, best_of_n=False)


def _example(name: str, function: str, *options: str, task: bool = True) -> Target:
    own = ("--task", f"examples/{name}_task.py") if task else ()
    return Target(name, Path(f"examples/{name}.py"), function, (*own, *options))


EXAMPLES: Final = (
    _example(BAD_SORT, "sort", task=False),
    _example("matcher", "matches"),
    _example("text_search", "occurrences"),
    _example("slow_shortest", "distances"),
    _example("matrix_product", "product"),
    _example("numeric_kernel", "autocorrelation", "--allow", "numpy"),
    _example("memory_hungry", "checksum", "--objective", "memory"),
    _example("circle_packing", "pack", "--objective", "score"),
)


async def run(progress: Progress, *, quick: bool, seed: int = 1) -> Report:
    """Run every example with every seed, then the generated functions."""
    sizes = QUICK if quick else FULL
    units = [_unit_s()]
    runs: list[Run] = []
    for target in EXAMPLES[: sizes.examples]:
        for number in range(1, sizes.seeds + 1):
            runs.append(await _timed(progress, target, number, sizes))
            units.append(_unit_s())
    generated = await _generated(progress, seed, sizes)
    figures = {**figures_of_bad_sort(runs, statistics.median(units)), **_pairs(runs), **_solved(generated)}
    return Report("time_to_best", figures, _raw(sizes, seed, runs, generated, units))


async def _timed(progress: Progress, target: Target, seed: int, sizes: Sizes) -> Run:
    """Start one run; a failed run counts as one without a winner, with its output, and the others continue."""
    progress.say(f"{target.name}, seed {seed}")
    try:
        done = await evolve(target, seed, seconds=sizes.seconds, best_of_n=sizes.best_of_n)
    except EvolveFailed as error:
        done = Run.without(target.name, seed, error.wall_s, str(error))
    print(_told(done), file=sys.stderr, flush=True)
    return done


def _told(done: Run) -> str:
    """Return a line for the run, and its winner's lineage."""
    after = done.headline if done.winner_s is None else f"{done.gain:.2f}x after {done.winner_s:.1f} s"
    return "\n".join([f"{done.name}, seed {done.seed}: {after}", *(f"    {each}" for each in done.lineage)])


async def _generated(progress: Progress, seed: int, sizes: Sizes) -> list[Run]:
    with tempfile.TemporaryDirectory(prefix="mendel-generated-") as folder:
        return [
            await _timed(progress, _written(Path(folder), seed * 1_000 + number), 1, sizes)
            for number in range(sizes.generated)
        ]


def _written(folder: Path, seed: int) -> Target:
    file = folder / f"generated_{seed}.py"
    file.write_text(generate(seed).source)
    return Target(file.stem, file, FUNCTION)


# --- figures -------------------------------------------------------------------------------------------------


def figures_of_bad_sort(runs: Sequence[Run], unit_s: float) -> dict[str, Figure]:
    """Return the number of successful seeds and the slowest, also in machine units."""
    reached = [each.reached_s(ENOUGH) for each in runs if each.name == BAD_SORT]
    taken = [NEVER_S if seconds is None else seconds for seconds in reached]
    inside = [seconds for seconds in taken if seconds <= WITHIN_S]
    worst = max(taken)
    return {
        "bad_sort_seeds_ok": Figure(len(inside), ">= 5"),
        "bad_sort_worst_s": Figure(worst, f"<= {WITHIN_S:g}"),
        "bad_sort_worst_units": Figure(worst / unit_s, REPORTED),
    }


def _pairs(runs: Sequence[Run]) -> dict[str, Figure]:
    figures = {}
    for name in dict.fromkeys(each.name for each in runs):
        of = [each for each in runs if each.name == name]
        seconds = [each.winner_s for each in of if each.winner_s is not None]
        figures[f"{name}_s"] = Figure(statistics.median(seconds) if seconds else -1.0, REPORTED)
        figures[f"{name}_gain"] = Figure(statistics.median(each.gain for each in of), REPORTED)
    return figures


def _solved(runs: Sequence[Run]) -> dict[str, Figure]:
    solved = sum(each.adopted and each.gain >= SOLVED for each in runs)
    return {"generated_solved": Figure(solved / len(runs), REPORTED)}


def _raw(
    sizes: Sizes, seed: int, runs: Sequence[Run], generated: Sequence[Run], units: Sequence[float]
) -> dict[str, object]:
    return {
        "sizes": {**sizes._asdict(), "seed": seed},
        "machine": {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "cpus": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
            "load": [round(load, 2) for load in os.getloadavg()],
        },
        "unit": {"python_s": round(statistics.median(units), 5), "samples": [round(each, 5) for each in units]},
        "runs": [each.as_raw() for each in runs],
        "generated": [{**each.as_raw(), "source": _source(each)} for each in generated],
    }


def _source(done: Run) -> str:
    return generate(int(done.name.removeprefix("generated_"))).source


def _unit_s() -> float:
    """Measure the time of a fixed piece of Python on this machine."""
    samples = []
    for _ in range(_UNIT_ROUNDS):
        began = time.perf_counter()
        total = 0
        for number in range(500_000):
            total += number * number % 7
        samples.append(time.perf_counter() - began)
    return statistics.median(samples)
