"""``evolve_rate``: iterations of a whole search per second, against OpenEvolve, early and late in a run.

Both sides have the same program, the same scoring function, two workers, and the same local model server as the source
of every candidate. It answers immediately and runs the same code for both; our calls go through the gateway. The clock
runs from the start of the first iteration to the end of the last: for us all of ``conduct``, for the peer its
``run_evolution`` with its defaults, checkpoints included. Before that both have evaluated the original and completed
their one-time setup. Our side runs every candidate in the sandbox and records it with question and answer; the peer
has no sandbox and no log.

The side that begins alternates between rounds. Loopers: one candidate in ten loops for ever; the bound is the time of
the others alone plus the loopers' limits, spread over the workers.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import machine
from benchmarks.evolve_rate_ours import ASKING, SLOTS, WORKERS, Bred, OurSide, our_side
from benchmarks.evolve_rate_peer import PEER, EvolvingPeer, PeerEvolution, evolving_peer
from benchmarks.evolve_rate_server import LOOPING, model_server
from benchmarks.evolve_rate_task import TaskFiles, write_task
from benchmarks.noop_runs import rounded
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.sandbox_processes import orphans_come_here
from mendel.bench.planning import POPULATION, WINDOW

Span = tuple[int, int]
_WARM_UP: Final = 50


class Sizes(NamedTuple):
    """The amount of work; spans count iterations."""

    rounds: int
    iterations: int
    last_window: Span
    flat_runs: int
    flat_iterations: int
    early: Span
    late: Span
    step: int
    looper_rounds: int
    others: int
    loopers: int


FULL: Final = Sizes(
    rounds=3,
    iterations=1_000,
    last_window=(900, 1_000),
    flat_runs=3,
    flat_iterations=10_000,
    early=(100, 1_000),
    late=(9_000, 10_000),
    step=1_000,
    looper_rounds=3,
    others=900,
    loopers=100,
)
QUICK: Final = Sizes(
    rounds=1,
    iterations=1_000,
    last_window=(900, 1_000),
    flat_runs=1,
    flat_iterations=2_000,
    early=(100, 600),
    late=(1_500, 2_000),
    step=250,
    looper_rounds=1,
    others=180,
    loopers=20,
)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    with tempfile.TemporaryDirectory(prefix="mendel-bench-evolve-") as folder:
        files = write_task(Path(folder))
        with orphans_come_here(), model_server() as url, evolving_peer(progress, files, url) as peer:
            async with our_side(Path(folder), files, url) as (ours, conninfo):
                surroundings: dict[str, object] = {
                    "machine": machine.description(conninfo),
                    "unit": machine.unit(conninfo),
                }
                bench = _Bench(ours, peer, sizes, progress)
                await bench.measure()
    return _report(bench, files, surroundings)


class Round(NamedTuple):
    """Both sides, one immediately after the other."""

    ours: Bred
    theirs: PeerEvolution

    def wall(self) -> float:
        """Return our time, divided by the peer's."""
        return self.ours.wall_s / self.theirs.wall_s

    def processor_time(self) -> float:
        """Return the processor time of our processes, divided by the peer's: less sensitive to other load."""
        return self.ours.all_cpu_s / self.theirs.all_cpu_s

    def last_window(self, span: Span) -> float:
        """Return our rate, divided by the peer's."""
        return self.ours.rate(*span) / self.theirs.rate(*span)


class LooperRound(NamedTuple):
    """The others alone, and with the loopers among them."""

    others: Bred
    both: Bred
    limits_s: float

    def to_bound(self) -> float:
        """Return the time, divided by that of the others plus the loopers' limits spread over the workers."""
        return self.both.wall_s / (self.others.wall_s + self.limits_s)


class _Bench:
    """Takes every sample."""

    def __init__(self, ours: OurSide, peer: EvolvingPeer, sizes: Sizes, progress: Progress) -> None:
        self._ours, self._peer, self._progress = ours, peer, progress
        self.sizes = sizes
        self.rounds: list[Round] = []
        self.flat: list[Bred] = []
        self.looped: list[LooperRound] = []
        self.in_process: list[Bred] = []
        self.limit_s = 0.0

    async def measure(self) -> None:
        """Take all samples, after a short warm-up evolution of each side."""
        self._progress.say("warming up")
        await self._ours.run(_WARM_UP)
        self._peer.evolve(_WARM_UP, WORKERS)
        for number in range(self.sizes.rounds):
            await self._round(number)
        self._progress.say(f"{self.sizes.iterations:,} iterations, ours, with a source in the process")
        self.in_process.append(await self._ours.run(self.sizes.iterations, "process"))  # the cost of the gateway
        for number in range(self.sizes.looper_rounds):
            await self._loopers(number)
        for number in range(self.sizes.flat_runs):
            self._progress.say(f"run {number + 1} of {self.sizes.flat_runs}: {self.sizes.flat_iterations:,} iterations")
            self.flat.append(await self._ours.run(self.sizes.flat_iterations))

    async def _round(self, number: int) -> None:
        # ours begins in even rounds, the peer in odd ones
        ours: Bred | None = await self._our_turn(number) if number % 2 == 0 else None
        self._progress.say(f"round {number + 1} of {self.sizes.rounds}: {self.sizes.iterations:,} iterations, the peer")
        theirs = self._peer.evolve(self.sizes.iterations, WORKERS)
        self.rounds.append(Round(ours or await self._our_turn(number), theirs))

    async def _our_turn(self, number: int) -> Bred:
        self._progress.say(f"round {number + 1} of {self.sizes.rounds}: {self.sizes.iterations:,} iterations, ours")
        return await self._ours.run(self.sizes.iterations)

    async def _loopers(self, number: int) -> None:
        sizes = self.sizes
        self._progress.say(f"loopers {number + 1} of {sizes.looper_rounds}: {sizes.others} others, alone")
        others = await self._ours.run(sizes.others)
        self._progress.say(
            f"loopers {number + 1} of {sizes.looper_rounds}: {sizes.loopers} among {sizes.others} others"
        )
        both = await self._ours.run(sizes.others + sizes.loopers, "server_with_loopers")
        self.limit_s = self._ours.case_s
        self.looped.append(LooperRound(others, both, sizes.loopers * self.limit_s / WORKERS))

    def flatness(self, rate: Callable[[Bred, Span], float]) -> list[float]:
        """Return the later rate, divided by the earlier, of each long run."""
        return [rate(each, self.sizes.late) / rate(each, self.sizes.early) for each in self.flat]


# --- figures -------------------------------------------------------------------------------------------------------


def _report(bench: _Bench, files: TaskFiles, surroundings: dict[str, object]) -> Report:
    sizes = bench.sizes
    last = [each.last_window(sizes.last_window) for each in bench.rounds]
    figures = {
        "wall_to_openevolve": Figure(_median([each.wall() for each in bench.rounds]), "<= 0.35"),
        "last_window_to_openevolve": Figure(_median(last), ">= 5"),
        "flatness": Figure(_median(bench.flatness(_rate)), ">= 0.9"),
        "with_loopers": Figure(_median([each.to_bound() for each in bench.looped]), "<= 1.1"),
    }
    raw = surroundings | {
        "sizes": sizes._asdict(),
        "peer": PEER,
        "config": {"workers": WORKERS, "slots": SLOTS, "window": WINDOW, "max_population": POPULATION}
        | {"score_points": files.points, "score_ms": files.score_ms, "looper_every": LOOPING}
        | {"looper_limit_s": bench.limit_s, "operator": ASKING},
        "summary": _summary(bench),
        "rounds": [_told_round(each, sizes) for each in bench.rounds],
        "in_process": [_told_ours(each, sizes.iterations // 10) for each in bench.in_process],
        "loopers": [_told_loopers(each) for each in bench.looped],
        "long_runs": [_told_ours(each, sizes.step) for each in bench.flat],
    }
    return Report("evolve_rate", figures, raw)


def _summary(bench: _Bench) -> dict[str, object]:
    span = bench.sizes.last_window
    return {
        "wall_to_openevolve": rounded([each.wall() for each in bench.rounds]),
        "last_window_to_openevolve": rounded([each.last_window(span) for each in bench.rounds]),
        "processor_time_to_openevolve": rounded([each.processor_time() for each in bench.rounds]),
        "ours_wall_s": rounded([each.ours.wall_s for each in bench.rounds], 2),
        "ours_in_process_wall_s": rounded([each.wall_s for each in bench.in_process], 2),
        "peer_wall_s": rounded([each.theirs.wall_s for each in bench.rounds], 2),
        "flatness": rounded(bench.flatness(_rate)),
        "flatness_by_processor_time": rounded(bench.flatness(_cpu_rate)),
        "with_loopers": rounded([each.to_bound() for each in bench.looped]),
    }


def _told_round(each: Round, sizes: Sizes) -> dict[str, object]:
    step = sizes.iterations // 10
    peer = {
        "wall_s": round(each.theirs.wall_s, 3),
        "all_cpu_s": round(each.theirs.all_cpu_s, 3),
        "last_window_s": round(each.theirs.rate(*sizes.last_window), 2),
        "rates_each": {"iterations": step, "rates": each.theirs.curve(step)},
    }
    ours = _told_ours(each.ours, step) | {"last_window_s": round(each.ours.rate(*sizes.last_window), 2)}
    return {"ours": ours, "peer": peer}


def _told_loopers(each: LooperRound) -> dict[str, float]:
    return {
        "others_wall_s": round(each.others.wall_s, 3),
        "with_loopers_wall_s": round(each.both.wall_s, 3),
        "limits_s": round(each.limits_s, 3),
    }


def _told_ours(bred: Bred, step: int) -> dict[str, object]:
    return {
        "iterations": bred.iterations,
        "wall_s": round(bred.wall_s, 3),
        "founder_s": round(bred.founder_s, 3),
        "cpu_s": round(bred.cpu_s, 3),
        "all_cpu_s": round(bred.all_cpu_s, 3),
        "garbage_collection_s": round(bred.gc_s, 3),
        "events_per_iteration": round(bred.course.events / bred.iterations, 2),
        "rates_each": {"iterations": step, "rates": bred.course.curve(step)},
    }


def _rate(bred: Bred, span: Span) -> float:
    return bred.rate(*span)


def _cpu_rate(bred: Bred, span: Span) -> float:
    return bred.course.cpu_rate(span[0] + 1, span[1] + 1)


def _median(values: Sequence[float]) -> float:
    return statistics.median(values)
