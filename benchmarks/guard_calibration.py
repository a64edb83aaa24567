"""``guard_calibration``: how often the gate adopts a candidate that it must not adopt, measured on the gate itself.

All probabilities come from decisions of the public :func:`mendel.guard.run` on scripted outcomes
(:mod:`benchmarks.guard_calibration_script`). Formulas only supply the probabilities of the outcomes
(:mod:`benchmarks.guard_calibration_exact`, :mod:`benchmarks.guard_calibration_strata`). The list of settings is in
:mod:`benchmarks.guard_calibration_jobs`, and for recorded samples in :mod:`benchmarks.guard_calibration_samples`.
``python -m benchmarks.guard_calibration_table < RESULT`` writes the page.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from math import prod
from multiprocessing import get_context
from typing import Final, TypeVar

from benchmarks import throwaway
from benchmarks.guard_calibration_cells import CORRELATIONS, Cell, cell
from benchmarks.guard_calibration_exact import Chances
from benchmarks.guard_calibration_jobs import (
    BETTER,
    COMPARED,
    FULL,
    POWER_N,
    QUICK,
    Job,
    Sizes,
    beside,
    jobs,
    measure,
)
from benchmarks.guard_calibration_samples import (
    EVERY_SAMPLE,
    FEW_SAMPLES,
    SampleChances,
    SampleSetting,
    measure_samples,
    sample_settings,
)
from benchmarks.guard_calibration_script import BUDGET
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.sandbox_peers import PEER

PROGRAM: Final = "metamorphic_guard_power.py"
SEED: Final = 20_250_101

Measured = tuple[Job, Chances]
MeasuredSamples = tuple[SampleSetting, SampleChances]
Asked = TypeVar("Asked")
Found = TypeVar("Found")
Row = dict[str, object]


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure the gate, in one process per core, and the peer."""
    sizes = QUICK if quick else FULL
    peer = asyncio.create_task(asyncio.to_thread(_peer, sizes))  # in parallel, since no figure depends on time
    settings = sorted(sample_settings(FEW_SAMPLES if quick else EVERY_SAMPLE), key=lambda each: -each.weight)
    measured = await _measured(measure, jobs(sizes), progress)
    samples = await _measured(measure_samples, settings, progress)
    progress.say(f"{PEER}: drawn outcomes")
    return reported(measured, samples, await peer, sizes)


def reported(
    measured: Sequence[Measured], samples: Sequence[MeasuredSamples], peer: Sequence[Row], sizes: Sizes
) -> Report:
    """Return figures and raw data."""
    cells = [row for job, chances in measured if job.part in ("default", "others") for row in _rows(job, chances)]
    families = list(_families([each for each in measured if each[0].part == "family"]))
    worst = max(_excess(row) for row in cells if row["part"] == "default" and row["alpha"] == BUDGET)
    figures = {
        "worst_excess": Figure(worst, "<= 0.01"),
        "familywise": Figure(max((_number(row["any_adoption"]) for row in families), default=0.0), "<= 0.06"),
        "samples_share": Figure(max(max(each.adoption) / setting.spent.alpha for setting, each in samples), "<= 1"),
    }
    raw = {
        "summary": _summary(cells),
        "runs": sum(chances.runs for _, chances in measured),
        "checks": sum(chances.checks for _, chances in measured),
        "disagreements": _disagreements(measured),
        "sizes": sizes._asdict(),
        "cells": cells,
        "power": [row for job, chances in measured if job.part == "power" for row in _rows(job, chances)],
        "beside": [row for job, chances in measured if job.part == "beside" for row in _rows(job, chances)],
        "peer": list(peer),
        "families": families,
        "samples": {
            "asked": sum(chances.asked for _, chances in samples),
            "checks": sum(chances.checks for _, chances in samples),
            "disagreements": sum(chances.disagreements for _, chances in samples),
            "settings": [_sample_row(*each) for each in samples],
        },
    }
    return Report("guard_calibration", figures, raw)


async def _measured(
    ask: Callable[[Asked], Found], found: Sequence[Asked], progress: Progress
) -> list[tuple[Asked, Found]]:
    # spawn: each job starts event loops of its own, and this process already has threads
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        waiting = [asyncio.wrap_future(pool.submit(ask, job)) for job in found]
        for done, each in enumerate(asyncio.as_completed(waiting)):
            progress.say(f"{done} of {len(found)} settings measured")
            await each
        return [(job, each.result()) for job, each in zip(found, waiting, strict=True)]


def _rows(job: Job, chances: Chances) -> Iterator[Row]:
    setting = job.setting
    for truth, adoption, error in zip(job.cells, chances.adoption, chances.errors, strict=True):
        yield {
            "part": job.part,
            "policy": setting.policy,
            "mode": setting.mode,
            "interval": setting.interval,
            "method": chances.method,
            "sequential": setting.sequential,
            "n": setting.n,
            "alpha": setting.alpha,
            "candidate": round(truth.candidate, 12),
            "baseline": round(truth.baseline, 12),
            "correlation": truth.correlation,
            "phi": round(truth.phi, 6),
            "adoption": adoption,
            "standard_error": error,
            "how": chances.how,
        }


def _sample_row(setting: SampleSetting, chances: SampleChances) -> Row:
    """Return a setting with its worst truth."""
    return {
        "claim": setting.claim,
        "policy": setting.policy,
        "method": chances.method,
        "n": setting.n,
        "challenge": setting.challenge,
        "alpha": setting.spent.alpha,
        "truths": len(setting.truths),
        "adoption": max(chances.adoption),
    }


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _excess(row: Row) -> float:
    return _number(row["adoption"]) - _number(row["alpha"])


def _summary(cells: Iterable[Row]) -> dict[str, float]:
    """Return the worst excess over alpha by mode, method and sequential method."""
    worst: dict[str, float] = {}
    for row in cells:
        name = f"{row['part']} {row['mode']} {row['method']} {row['sequential']} alpha={row['alpha']}"
        worst[name] = max(worst.get(name, -1.0), round(_excess(row), 5))
    return dict(sorted(worst.items()))


def _disagreements(measured: Sequence[Measured]) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for _, chances in measured:
        found[chances.how] += chances.disagreements
    return dict(found)


def _families(measured: Sequence[Measured]) -> Iterator[Row]:
    """Return the probability that any of a niche's challengers is adopted, all at the boundary in the same cell."""
    groups: dict[tuple[str, str, int, Cell], dict[int, float]] = defaultdict(dict)
    for job, chances in measured:
        for truth, adoption in zip(job.cells, chances.adoption, strict=True):
            key = (job.setting.policy, job.setting.sequential, job.setting.n, truth)
            groups[key][job.setting.challenge] = adoption
    for (policy, sequential, n, truth), by_challenge in groups.items():
        yield {
            "policy": policy,
            "sequential": sequential,
            "n": n,
            "candidate": round(truth.candidate, 12),
            "baseline": round(truth.baseline, 12),
            "correlation": truth.correlation,
            "challengers": len(by_challenge),
            "any_adoption": 1 - prod(1 - chance for chance in by_challenge.values()),
            "by_challenge": [by_challenge[k] for k in sorted(by_challenge)],
        }


# --- the peer ------------------------------------------------------------------------------------------------


def _peer(sizes: Sizes) -> list[Row]:
    """Return the results of the peer's own interval and decision on drawn outcomes of the same truths."""
    asked = [(kind, margin, POWER_N, cell(*BETTER, each)) for kind, margin in COMPARED[:2] for each in CORRELATIONS]
    with ExitStack() as stack:
        python = stack.enter_context(throwaway.environment([PEER]))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mendel-guard-"))
        peer = stack.enter_context(throwaway.peer(python, PROGRAM, [folder]))
        return [_asked(peer, sizes.peer_times, *each) for each in [*asked, *beside()]]


def _asked(peer: throwaway.Peer, times: int, kind: str, margin: float, n: int, truth: Cell) -> Row:
    chances = [truth.only_candidate, truth.only_baseline, truth.neither, truth.both]
    min_delta = margin if kind == "superiority" else -margin
    answer = peer.ask({"n": n, "chances": chances, "min_delta": min_delta, "times": times, "seed": SEED})
    return {
        "policy": f"{kind}:margin={margin:g}",
        "n": n,
        "candidate": truth.candidate,
        "baseline": truth.baseline,
        "correlation": truth.correlation,
        "times": times,
        **answer,
    }
