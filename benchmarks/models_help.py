"""``models_help``: the effect of a good and of a bad model on `mendel evolve`, for the same number of candidates.

Five sides breed the same functions with the same seeds and number of candidates, for fewer opcodes, in birth order:

* ``offline``: the operators alone;
* ``mender``: also the model server of the tests, with good answers. It edits the parent in the prompt, tests its edits
  on the cases in the prompt, and answers with the best. It has no knowledge of the functions or their solutions;
* ``garbage``: the same server with useless answers;
* ``without_cases``, ``without_parent``: the mender, but it ignores the cases, or the parent.

The functions are the first ones that :mod:`benchmarks.generated_functions` generates from ``--seed`` (1), without
selection. Gains are those of the best candidate of each run in powers of two. A difference is taken between two sides
with the same function and seed; its interval (95 %) comes from a bootstrap over functions, each with all its seeds.

* ``mender_to_offline``, ``mender_to_offline_low``: the mean difference, and the lower end of its interval;
* ``garbage_to_offline``, ``garbage_to_offline_high``: the mean difference, and the upper end of its interval;
* ``without_cases_to_mender_high``, ``without_parent_to_mender_high``: the upper ends of theirs.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import sandbox
from benchmarks.generated_functions import generate
from benchmarks.models_help_runs import OFFLINE, Bred, Job, breeder
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from mendel.contracts.entropy import Entropy

BRAINS: Final[Mapping[str, str]] = {
    "mender": "mender",
    "garbage": "garbage",
    "without_cases": "tests.support.model_server.mender:WithoutCases",
    "without_parent": "tests.support.model_server.mender:WithoutParent",
}
SIDES: Final = (OFFLINE, *BRAINS)
_RESAMPLES: Final = 4_000
_TAIL: Final = 0.025


class Sizes(NamedTuple):
    """The amount of work."""

    functions: int
    seeds: int
    candidates: int


FULL: Final = Sizes(functions=10, seeds=3, candidates=20)
QUICK: Final = Sizes(functions=2, seeds=1, candidates=16)


async def run(progress: Progress, *, quick: bool, seed: int = 1) -> Report:
    """Run every function with every seed on every side."""
    sizes = QUICK if quick else FULL
    surroundings: dict[str, object] = {"machine": sandbox._machine(), "sizes": {**sizes._asdict(), "seed": seed}}
    rows = await compared(progress, list(jobs(sizes, seed)), BRAINS)
    return report(rows, surroundings)


def jobs(sizes: Sizes, seed: int) -> Iterator[Job]:
    """Return the first functions of a seed, each with every seed of a run."""
    for number in range(sizes.functions):
        for own in range(1, sizes.seeds + 1):
            yield Job(seed * 1_000 + number, own, sizes.candidates)


async def compared(progress: Progress, wanted: Sequence[Job], brains: Mapping[str, str]) -> list[Bred]:
    """Run every job on the side without models and on each side with a brain."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="mendel-models-help-") as folder:
        async with breeder(Path(folder), brains) as bred:
            for number, job in enumerate(wanted, 1):
                task = await bred.task(job)
                for side in (OFFLINE, *brains):
                    progress.say(f"{number} of {len(wanted)}: function {job.function}, seed {job.seed}, {side}")
                    rows.append(await bred.bred(task, job, side))
    return rows


# --- figures -------------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """A difference of two sides over pairs of runs: mean, interval, and the numbers of pairs above, equal and below."""

    mean: float
    low: float
    high: float
    above: int
    equal: int
    below: int


def difference(rows: Sequence[Bred], side: str, other: str) -> Difference:
    """Return the difference in gain of ``side`` and ``other``."""
    gains = {(each.side, each.function, each.seed): each.gain for each in rows}
    pairs = [(each.function, each.seed) for each in rows if each.side == side]
    found = [gains[side, *pair] - gains[other, *pair] for pair in pairs]
    means = sorted(_resampled([function for function, _ in pairs], found))
    return Difference(
        mean=statistics.fmean(found),
        low=means[round(_TAIL * (len(means) - 1))],
        high=means[round((1 - _TAIL) * (len(means) - 1))],
        above=sum(each > 0 for each in found),
        equal=sum(each == 0 for each in found),
        below=sum(each < 0 for each in found),
    )


def _resampled(functions: Sequence[int], found: Sequence[float]) -> Iterator[float]:
    """Return bootstrap means: functions are drawn with replacement, with all their seeds, which are correlated."""
    groups = [
        [each for at, each in zip(functions, found, strict=True) if at == name] for name in sorted(set(functions))
    ]
    entropy = Entropy("models_help", len(found))
    for number in range(_RESAMPLES):
        drawn = entropy.child(number)
        chosen = (groups[drawn.below(len(groups), place)] for place in range(len(groups)))
        yield statistics.fmean(each for group in chosen for each in group)


def report(rows: Sequence[Bred], surroundings: Mapping[str, object]) -> Report:
    """Return the figures and their raw data."""
    mender, garbage = difference(rows, "mender", OFFLINE), difference(rows, "garbage", OFFLINE)
    blind = {side: difference(rows, side, "mender") for side in ("without_cases", "without_parent")}
    figures = {
        "mender_to_offline": Figure(mender.mean, "> 0"),
        "mender_to_offline_low": Figure(mender.low, "> 0"),
        "garbage_to_offline": Figure(garbage.mean, ">= -0.1"),
        "garbage_to_offline_high": Figure(garbage.high, ">= 0"),
        **{f"{side}_to_mender_high": Figure(each.high, "< 0") for side, each in blind.items()},
    }
    told = {"mender_to_offline": mender, "garbage_to_offline": garbage} | {
        f"{side}_to_mender": each for side, each in blind.items()
    }
    raw = {
        **surroundings,
        "summary": {name: _rounded(each._asdict()) for name, each in told.items()} | {"gain": _means(rows)},
        "functions": {str(each): generate(each).source for each in dict.fromkeys(row.function for row in rows)},
        "runs": [_rounded(each._asdict()) for each in rows],
    }
    return Report("models_help", figures, raw)


def _means(rows: Sequence[Bred]) -> dict[str, float]:
    return {side: round(statistics.fmean(each.gain for each in rows if each.side == side), 4) for side in SIDES}


def _rounded(values: Mapping[str, object]) -> dict[str, object]:
    return {name: round(each, 4) if isinstance(each, float) else each for name, each in values.items()}
