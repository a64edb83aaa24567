"""``replay_rate``: whether folding keeps its speed per event in a history of a million events.

Both histories are real: steady runs of the no-op domain, conducted to their end and exported. There are two methods,
and the figure is the worse of both:

- ``fold``: the clock runs while decoded events are folded, and is paused while the next 10,000 are decoded.
- ``replay``: everything that a replay of an export does: parse, check the chain, decode, fold.

The garbage collector is off, as in the process in which `mendel replay` folds; ``raw`` also has the whole replay with
the collector at Python's default thresholds.

Nothing here waits, so the clock is the processor time of this process, which is less sensitive to other load.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import machine, servers
from benchmarks.noop_history import in_chunks, read_back, recorded
from benchmarks.noop_runs import noop_domain
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.fold import fold
from mendel.kernel.state import RunState

CHUNK: Final = 10_000


class Sizes(NamedTuple):
    """The amount of work: events in the two histories, and how often each is folded."""

    small: int
    large: int
    rounds: int
    small_repeats: int


FULL: Final = Sizes(small=10_000, large=1_000_000, rounds=2, small_repeats=3)
QUICK: Final = Sizes(small=10_000, large=100_000, rounds=3, small_repeats=3)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    surroundings = _surroundings()
    with noop_domain() as folder:
        histories = {"small": folder / "small.mendel", "large": folder / "large.mendel"}
        for which, path in histories.items():
            events = getattr(sizes, which)
            progress.say(f"conducting a run of about {events:,} events")
            await recorded(path, events)
        folder_of = _Folder(histories, progress)
        gc.disable()
        folder_of.warm_up()
        for number in range(sizes.rounds):
            folder_of.round(f"round {number + 1} of {sizes.rounds}", sizes.small_repeats)
    return _report(folder_of, sizes, surroundings)


def _surroundings() -> dict[str, object]:
    with servers.bench_server() as server:
        admin = server.new_database("unit", empty=True)
        return {"machine": machine.description(admin), "unit": machine.unit(admin)}


# --- the two methods -------------------------------------------------------------------------------------------


class Replayed(NamedTuple):
    """A state, the number of its events, and the time of the fold."""

    state: RunState
    events: int
    seconds: float


def _fold(path: Path) -> Replayed:
    state: RunState | None = None
    seconds = 0.0
    for chunk in in_chunks(read_back(path), CHUNK):
        state = state or RunState(chunk[0].run_id)
        began = time.process_time()
        for event in chunk:
            fold(state, event)
        seconds += time.process_time() - began
    return _replayed(state, seconds)


def _replay_collected(path: Path) -> Replayed:
    """Run the whole replay with the collector at Python's default thresholds."""
    gc.enable()
    try:
        return _replay(path)
    finally:
        gc.disable()


def _replay(path: Path) -> Replayed:
    state: RunState | None = None
    began = time.process_time()
    for event in read_back(path):
        state = state or RunState(event.run_id)
        fold(state, event)
    return _replayed(state, time.process_time() - began)


def _replayed(state: RunState | None, seconds: float) -> Replayed:
    if state is None or not state.terminal:
        raise AssertionError("the history is not that of a finished run")
    return Replayed(state, state.sequence + 1, seconds)


_COUNTED: Final = ("fold", "replay")
_WAYS: Final[dict[str, Callable[[Path], Replayed]]] = {
    "fold": _fold,
    "replay": _replay,
    "replay_collected": _replay_collected,
}
_DIGESTS: Final[dict[str, Callable[[RunState], str]]] = {
    "state_digest": state_digest,
    "outcome_digest": outcome_digest,
}


# --- rounds ----------------------------------------------------------------------------------------------------


class _Folder:
    """Folds the two histories in turn: the small one before and after the large one, for equal noise."""

    def __init__(self, histories: dict[str, Path], progress: Progress) -> None:
        self._histories = histories
        self._progress = progress
        self.samples: dict[str, dict[str, list[float]]] = {
            way: {"small": [], "large": []} for way in (*_WAYS, *_DIGESTS)
        }
        self.growths: dict[str, list[float]] = {way: [] for way in _WAYS}
        self.events: dict[str, int] = {}
        self.file_mb = {which: round(path.stat().st_size / 1e6, 1) for which, path in histories.items()}
        self.peak_rss_mb: dict[str, float] = {}

    def warm_up(self) -> None:
        """Warm up with the small history."""
        self._progress.say("warming up")
        for way in _WAYS.values():
            way(self._histories["small"])

    def round(self, label: str, small_repeats: int) -> None:
        """Take one sample of the large history by each method, between ``2 * small_repeats`` of the small one."""
        for way in _WAYS:
            self._progress.say(f"{label}: {way}")
            small = [self._sample(way, "small") for _ in range(small_repeats)]
            large = self._sample(way, "large")
            small += [self._sample(way, "small") for _ in range(small_repeats)]
            self.growths[way].append(round(large / statistics.median(small), 4))

    def _sample(self, way: str, which: str) -> float:
        """Microseconds per event. The lowest peak counts, because later ones include memory left by earlier samples."""
        gc.collect()
        machine.reset_peak_rss()
        replayed = _WAYS[way](self._histories[which])
        self.peak_rss_mb[which] = min(self.peak_rss_mb.get(which, math.inf), machine.peak_rss_mb())
        self.events[which] = replayed.events
        taken = _us(replayed.seconds, replayed.events)
        self.samples[way][which].append(taken)
        if way == "fold":
            self._digest(replayed, which)
        return taken

    def _digest(self, replayed: Replayed, which: str) -> None:
        for name, digest in _DIGESTS.items():
            began = time.process_time()
            digest(replayed.state)
            self.samples[name][which].append(_us(time.process_time() - began, replayed.events))


def _us(seconds: float, events: int) -> float:
    return round(seconds / events * 1e6, 3)


# --- figures ---------------------------------------------------------------------------------------------------


def _report(found: _Folder, sizes: Sizes, surroundings: dict[str, object]) -> Report:
    growth = {way: statistics.median(growths) for way, growths in found.growths.items()}
    each = {
        way: {which: statistics.median(taken) for which, taken in samples.items()}
        for way, samples in found.samples.items()
    }
    summary = {
        "growth": growth,
        "us_per_event": each,
        "events_s": {way: {which: round(1e6 / us) for which, us in each[way].items()} for way in _WAYS},
        "peak_rss_mb": found.peak_rss_mb,
    }
    raw = surroundings | {
        "sizes": {**sizes._asdict(), "chunk": CHUNK, "events": found.events, "file_mb": found.file_mb},
        "summary": summary,
        "samples_us_per_event": found.samples,
        "samples_growth": found.growths,
    }
    worst = max(growth[way] for way in _COUNTED)
    return Report("replay_rate", {"growth": Figure(worst, "<= 1.3")}, raw)
