"""``sandbox``: the cost of running a program with all walls, against a peer, a cold Python and no sandbox.

Our side is ``NativeSandbox`` with its defaults: one worker per core, the layers that this machine allows, zygotes
replaced when they are worn. Its first zygotes start before the rounds; replacements and spares are counted. Processor
time is that of all processes (:mod:`benchmarks.sandbox_processes`).

* One case each: ``IN_FLIGHT`` callers against the peer's executor with one worker per core and with one worker; the
  figure uses the peer's better rate of the round. The time of a single evaluation is measured with one caller.
* Batches: 1,000 cases, 2 % of them run again, compared in this process, against a plain loop in this process.
* Loopers: one candidate in ten loops for ever, against the time of the others alone plus the limits.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Final, NamedTuple

from benchmarks import machine, rounds, sandbox_peers
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.rounds import Contender, Sample
from benchmarks.sandbox_peers import ColdStart, Evaluations, GuardPeer
from benchmarks.sandbox_processes import orphans_come_here
from benchmarks.sandbox_tasks import (
    CASES,
    LOOP_LIMIT_S,
    RECHECK,
    Batched,
    Loopers,
    Measured,
    OneCaseEach,
    Plain,
    long_enough,
    new_batch,
)
from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.evaluations import Isolation

IN_FLIGHT: Final = 8
"""Concurrent callers: more than workers, as in a run, so that an idle worker always finds the next caller waiting."""


class Sizes(NamedTuple):
    """The amount of work."""

    rounds: int
    evaluations: int
    peer_evaluations: int
    one_caller_evaluations: int
    batch_rounds: int
    batches: int
    looper_rounds: int
    others: int
    loopers: int


FULL: Final = Sizes(
    rounds=15,
    evaluations=1_000,
    peer_evaluations=60,
    one_caller_evaluations=300,
    batch_rounds=15,
    batches=24,
    looper_rounds=5,
    others=180,
    loopers=20,
)
QUICK: Final = Sizes(
    rounds=5,
    evaluations=500,
    peer_evaluations=30,
    one_caller_evaluations=100,
    batch_rounds=7,
    batches=12,
    looper_rounds=3,
    others=72,
    loopers=8,
)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    surroundings: dict[str, object] = {"machine": _machine(), "unit": {"sha256_mb_s": round(machine._sha256_mb_s())}}
    with orphans_come_here(), sandbox_peers.guard_peer(progress) as peer:
        async with NativeSandbox() as sandbox:
            bench = _Bench(sandbox, await sandbox.isolation(), sizes, progress)
            await bench.one_case_each(peer)
            await bench.in_batches()
            await bench.with_loopers()
    return bench.report(surroundings)


def _machine() -> dict[str, object]:
    """Return date, processor and versions."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpus": os.cpu_count(),
        "cores_usable": _cores(),
        "model": machine._cpu_model(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def _cores() -> int:
    return len(os.sched_getaffinity(0))


# --- the other sides -----------------------------------------------------------------------------------------------


class _Guard:
    """A contender: the peer with a given number of concurrent cases."""

    def __init__(self, peer: GuardPeer, workers: int, evaluations: int) -> None:
        self._peer = peer
        self._workers = workers
        self._evaluations = evaluations
        self.found: list[Evaluations] = []

    async def __call__(self) -> Sample:
        """Take one sample; the peer measures the time itself."""
        answer = self._peer.evaluate(self._workers, self._evaluations)
        if not answer.right:
            raise RuntimeError("the peer gives wrong answers, so its rate means nothing")
        self.found.append(answer)
        return Sample(answer.evaluations, answer.wall_s)


class _Cold:
    """A contender: a Python that starts and does nothing."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.found: list[ColdStart] = []

    async def __call__(self) -> Sample:
        """Return the median of a few starts as one event; there are many rounds."""
        self.found.append(sandbox_peers.measure_cold_start(self._progress, quick=True))
        return Sample(1, self.found[-1].p50_s)


# --- rounds --------------------------------------------------------------------------------------------------------


class _Bench:
    """Takes every sample; the first of each contender is a warm-up."""

    def __init__(self, sandbox: NativeSandbox, isolation: Isolation, sizes: Sizes, progress: Progress) -> None:
        self._sandbox = sandbox
        self._isolation = isolation
        self._sizes = sizes
        self._progress = progress
        self._guards: dict[int, _Guard] = {}
        self._cold = _Cold(progress)
        self._many = OneCaseEach(sandbox, sizes.evaluations, IN_FLIGHT)
        self._one = OneCaseEach(sandbox, sizes.one_caller_evaluations, callers=1)
        self._batched = Batched(sandbox, (), IN_FLIGHT)
        self._batch_rates: dict[str, list[float]] = {}
        self._input_length = 0
        self._others = Loopers(sandbox, sizes.others, 0, IN_FLIGHT)
        self._with_loopers = Loopers(sandbox, sizes.others, sizes.loopers, IN_FLIGHT)

    async def one_case_each(self, peer: GuardPeer) -> None:
        """Measure ours with many callers and with one, the peer with one worker and one per core, and a cold start."""
        self._guards = {
            workers: _Guard(peer, workers, self._sizes.peer_evaluations) for workers in sorted({1, _cores()})
        }
        contenders: dict[str, Contender] = {
            "ours": self._many,
            "ours, one caller": self._one,
            "cold python": self._cold,
        }
        contenders |= {f"peer, {workers} at once": guard for workers, guard in self._guards.items()}
        await rounds.interleave(contenders, self._sizes.rounds, self._labelled("one case each"))

    async def in_batches(self) -> None:
        """Measure batches in the sandbox, and the plain loop over the same inputs."""
        draws = random.Random(0)
        self._input_length = long_enough(draws)
        self._progress.say(f"batches of {CASES} inputs of {self._input_length} numbers")
        self._batched.batches = [new_batch(draws, self._input_length) for _ in range(self._sizes.batches)]
        contenders: dict[str, Contender] = {"batched": self._batched, "plain": Plain(self._batched.batches)}
        say = self._labelled(f"batches of {CASES}")
        self._batch_rates = await rounds.interleave(contenders, self._sizes.batch_rounds, say)

    async def with_loopers(self) -> None:
        """Measure the others alone, and with the loopers among them."""
        contenders: dict[str, Contender] = {"others": self._others, "with loopers": self._with_loopers}
        await rounds.interleave(contenders, self._sizes.looper_rounds, self._labelled("loopers"))

    def _labelled(self, label: str) -> Callable[[str], None]:
        return lambda line: self._progress.say(f"{label}: {line}")

    # --- figures -----------------------------------------------------------------------------------------------

    def report(self, surroundings: dict[str, object]) -> Report:
        """Return the figures and their raw data."""
        figures = {
            "per_cpu_to_metamorphic_guard": Figure(_median(self._to_guard(lambda each: each.per_cpu_s)), ">= 8"),
            "to_metamorphic_guard": Figure(_median(self._to_guard(lambda each: each.per_s)), ">= 15"),
            "to_cold_python": Figure(_median(self._to_cold()), "<= 0.6"),
            "batched_to_plain": Figure(rounds.ratio(self._batch_rates, "batched", "plain"), ">= 0.4"),
            "with_loopers": Figure(_median(self._to_bound()), "<= 1.1"),
        }
        raw = surroundings | {
            "isolation": {"tier": self._isolation.tier, "layers": self._isolation.layers},
            "sizes": {**self._sizes._asdict(), "in_flight": IN_FLIGHT, "cases": CASES, "recheck": RECHECK}
            | {"input_length": self._input_length, "looper_limit_s": LOOP_LIMIT_S},
            "peer": sandbox_peers.PEER,
            "summary": self._summary(),
            "samples": self._samples(),
        }
        return Report("sandbox", figures, raw)

    def _to_guard(self, rate: Callable[[Measured | Evaluations], float]) -> list[float]:
        """Return ours divided by the peer's better rate, round by round."""
        theirs = zip(*(guard.found for guard in self._guards.values()), strict=True)
        pairs = zip(self._many.found, theirs, strict=True)
        return [rate(ours) / max(map(rate, answers)) for ours, answers in pairs][1:]

    def _to_cold(self) -> list[float]:
        pairs = zip(self._one.found, self._cold.found, strict=True)
        return [ours.p50_s / cold.p50_s for ours, cold in pairs][1:]

    def _to_bound(self) -> list[float]:
        """Return the wall time, divided by that of the others plus the loopers' limits spread over the cores."""
        limits_s = self._sizes.loopers * LOOP_LIMIT_S / _cores()
        pairs = zip(self._others.found, self._with_loopers.found, strict=True)
        return [both.wall_s / (others.wall_s + limits_s) for others, both in pairs][1:]

    def _summary(self) -> dict[str, object]:
        many, one = self._many.found[1:], self._one.found[1:]
        return {
            "ours": {
                "per_s": round(_median([each.per_s for each in many]), 1),
                "cpu_ms": round(_median([each.cpu_ms for each in many]), 3),
                "one_caller_p50_ms": round(1e3 * _median([each.p50_s for each in one]), 3),
                "one_caller_cpu_ms": round(_median([each.cpu_ms for each in one]), 3),
            },
            "peer": {workers: _told_guard(guard.found[1:]) for workers, guard in self._guards.items()},
            "cold_python_p50_ms": round(1e3 * _median([each.p50_s for each in self._cold.found[1:]]), 2),
            "cases_s": rounds.medians(self._batch_rates),
            "plain_case_us": round(1e6 / statistics.median(self._batch_rates["plain"]), 2),
            "by_round": {
                "per_cpu_to_metamorphic_guard": _rounded(self._to_guard(lambda each: each.per_cpu_s)),
                "to_metamorphic_guard": _rounded(self._to_guard(lambda each: each.per_s)),
                "to_cold_python": _rounded(self._to_cold()),
                "with_loopers": _rounded(self._to_bound()),
            },
        }

    def _samples(self) -> dict[str, object]:
        """Return the samples as taken; the first of each is the warm-up."""
        ours = {
            "ours": self._many.found,
            "one_caller": self._one.found,
            "batched": self._batched.found,
            "others": self._others.found,
            "with_loopers": self._with_loopers.found,
        }
        return {
            **{name: _told(found) for name, found in ours.items()},
            "peer": {workers: [asdict(each) for each in guard.found] for workers, guard in self._guards.items()},
            "cold_python": [asdict(each) for each in self._cold.found],
            "cases_s": self._batch_rates,
        }


def _median(values: Sequence[float]) -> float:
    return statistics.median(values)


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 3) for value in values]


def _told(found: Sequence[Measured]) -> list[dict[str, float]]:
    return [{name: round(value, 6) for name, value in each._asdict().items()} for each in found]


def _told_guard(found: Sequence[Evaluations]) -> dict[str, float]:
    return {
        "per_s": round(_median([each.per_s for each in found]), 2),
        "cpu_ms": round(_median([1e3 / each.per_cpu_s for each in found]), 2),
        "p50_ms": round(1e3 * _median([each.p50_s for each in found]), 2),
    }
