"""``guard``: cases per second through the whole gate, against ``metamorphic-guard``, on that package's own task.

The task is the peer's ``top_k``: its generator, three properties, two relations, outputs compared as multisets. The
peer writes the inputs that it drew to a file, and our task, defined here with the same properties and relations, uses
them. Both sides judge the same two files, a baseline that sorts and a candidate with a heap.

*Ours* is :func:`mendel.guard.run_async` in this process, from the call to the report, with its defaults. No sandbox is
open before, so the time includes its start, the tests of its walls and its end. Exact mode also compares the answers of
both sides, which the peer does not; statistical mode does the same as the peer. *The peer* is its ``run_eval`` with its
defaults, one thread per core; the first round also tries twice as many threads, and the faster setting is used from
then on. Ours has several turns before and after each of the peer's. There is one warm-up run of each before the
rounds. Every round has new inputs, so that caches do not help.

The figure is our rate in exact mode, the median of a round's turns, divided by the peer's faster rate in that round;
the median over the rounds. With ``--quick`` the peer's rate is that of 40 and 80 cases.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

from benchmarks import guard_peer, machine, sandbox, sandbox_peers
from benchmarks.guard_peer import GatePeer, PeerRun
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.sandbox_processes import cpu_s, orphans_come_here
from mendel.guard import MetamorphicRelation, Property, TaskSpec, multiset_equal, run_async
from mendel.guard.spec import Args

Mode = Literal["exact", "statistical"]
Numbers = list[int]

BASELINE: Final = "def solve(L, k):\n    return sorted(L, reverse=True)[:k]\n"
CANDIDATE: Final = "import heapq\n\n\ndef solve(L, k):\n    return heapq.nlargest(k, L)\n"

_FIRST_SEED: Final = 1_000


class Size(NamedTuple):
    """Cases for our side (``n``) and the peer (``peer_n``), rounds, and our turns before and after the peer's."""

    n: int
    peer_n: int
    rounds: int
    turns: int


FULL: Final = (Size(200, 200, rounds=2, turns=5), Size(1_000, 1_000, rounds=1, turns=5))
QUICK: Final = (Size(200, 40, rounds=1, turns=3), Size(1_000, 80, rounds=1, turns=2))


@dataclass(frozen=True)
class OurRun:
    """One evaluation by our gate: its times and its result."""

    n: int
    mode: Mode
    wall_s: float
    cpu_s: float
    decision: str
    reason: str
    passes: int
    isolation: str

    @property
    def cases_s(self) -> float:
        """Cases per second."""
        return self.n / self.wall_s


@dataclass(frozen=True)
class Round:
    """The measurements of both sides on the same inputs."""

    size: Size
    ours: list[OurRun]
    peer: list[PeerRun]

    def rate(self, mode: Mode) -> float:
        """Return our cases per second, the median."""
        return statistics.median(each.cases_s for each in self.ours if each.mode == mode)

    @property
    def peer_rate(self) -> float:
        """Return the peer's cases per second with its faster setting."""
        return max(each.cases_s for each in self.peer)

    @property
    def per_cpu(self) -> float:
        """Return our cases per second of processor time in exact mode, divided by the peer's best."""
        ours = statistics.median(each.n / each.cpu_s for each in self.ours if each.mode == "exact")
        return ours / max(each.n / each.cpu_s for each in self.peer)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure every size."""
    sizes = QUICK if quick else FULL
    surroundings: dict[str, object] = {
        "machine": sandbox._machine(),
        "unit": {"sha256_mb_s": round(machine._sha256_mb_s())},
    }
    with (
        orphans_come_here(),
        tempfile.TemporaryDirectory(prefix="mendel-judged-") as folder,
        guard_peer.gate_peer(progress) as peer,
    ):
        bench = _Bench(peer, Path(folder), progress)
        await bench.warm_up()
        rounds = {size.n: [await bench.round(size) for _ in range(size.rounds)] for size in sizes}
    return _report(rounds, sizes, bench, surroundings)


class _Bench:
    """Takes every sample."""

    def __init__(self, peer: GatePeer, folder: Path, progress: Progress) -> None:
        self._peer = peer
        self._progress = progress
        self._baseline, self._candidate = folder / "baseline" / "solve.py", folder / "candidate" / "solve.py"
        for path, source in ((self._baseline, BASELINE), (self._candidate, CANDIDATE)):
            path.parent.mkdir()
            path.write_text(source)
        self._seed = _FIRST_SEED
        cores = len(os.sched_getaffinity(0))
        self._settings: list[int | None] = [None, 2 * cores]  # threads of the peer; None is its default
        self.uncounted: list[OurRun | PeerRun] = []

    async def warm_up(self) -> None:
        """Run each side once as a warm-up."""
        self._progress.say("one run of each side that does not count")
        inputs = self._peer.inputs(20, 0)
        self.uncounted = [
            self._peer.judge(self._baseline, self._candidate, n=5, seed=0, parallel=None),
            await self._judge(inputs, "exact"),
            await self._judge(inputs, "statistical"),
        ]

    async def round(self, size: Size) -> Round:
        """Run ours, the peer, ours, the peer with its other setting, and ours again, all on fresh inputs."""
        self._seed += 1
        inputs = self._peer.inputs(max(size.n, size.peer_n), self._seed)
        ours, peer = await self._turns(inputs, size), []
        for setting in self._settings:
            told = "at its default" if setting is None else f"{setting} at once"
            self._progress.say(f"{sandbox_peers.PEER}, {told}: {size.peer_n} cases")
            files = self._baseline, self._candidate
            peer.append(self._peer.judge(*files, n=size.peer_n, seed=self._seed, parallel=setting))
            ours += await self._turns(inputs, size)
        self._settings = [max(zip(peer, self._settings, strict=True), key=lambda pair: pair[0].cases_s)[1]]
        _check(ours, peer)
        return Round(size, ours, peer)

    async def _turns(self, inputs: Sequence[Args], size: Size) -> list[OurRun]:
        self._progress.say(f"ours: {size.turns} times {size.n} cases in each mode")
        modes: tuple[Mode, Mode] = ("exact", "statistical")
        return [await self._judge(inputs[: size.n], mode) for _ in range(size.turns) for mode in modes]

    async def _judge(self, inputs: Sequence[Args], mode: Mode) -> OurRun:
        task = peers_task(inputs)
        cpu_before, began = cpu_s(), time.perf_counter()
        report = await run_async(task, self._baseline, self._candidate, n=len(inputs), mode=mode)
        wall_s = time.perf_counter() - began
        return OurRun(
            n=len(inputs),
            mode=mode,
            wall_s=wall_s,
            cpu_s=cpu_s() - cpu_before,
            decision=str(report.decision),
            reason=report.reason,
            passes=report["summaries"]["candidate"]["passes"],
            isolation=report.provenance.sandbox.tier,
        )


def _check(ours: Sequence[OurRun], peer: Sequence[PeerRun]) -> None:
    """Refuse rates of a side that judged wrongly.

    Raises:
        RuntimeError: a side failed a case, or ours rejected the candidate.
    """
    if any(each.passes != each.n or each.decision == "reject" for each in ours):
        raise RuntimeError("our gate rejects a correct candidate, so its rate means nothing")
    if any((each.passes, each.baseline_passes) != (each.n, each.n) for each in peer):
        raise RuntimeError("the peer fails correct cases, so its rate means nothing")


# --- the task ------------------------------------------------------------------------------------------------------


def peers_task(inputs: Sequence[Args]) -> TaskSpec:
    """Return the peer's ``top_k`` on these inputs, with the same requirements."""

    def drawn(n: int, _seed: int) -> Iterable[Args]:
        return inputs[:n]

    return TaskSpec(
        name="peers_top_k",
        gen_inputs=drawn,
        properties=(
            Property(_right_length, "as many as asked for, or as there are"),
            Property(_descending, "the largest first"),
            Property(_from_the_list, "every number is one of the list"),
        ),
        relations=(
            MetamorphicRelation("permuted", _permuted, accepts_rng=True, category="permutation"),
            MetamorphicRelation("smaller numbers added", _with_smaller, category="noise"),
        ),
        equivalence=multiset_equal,
    )


def _right_length(output: Numbers, numbers: Numbers, k: int) -> bool:
    return len(output) == min(k, len(numbers))


def _descending(output: Numbers, _numbers: Numbers, _k: int) -> bool:
    return sorted(output, reverse=True) == output


def _from_the_list(output: Numbers, numbers: Numbers, _k: int) -> bool:
    return all(number in numbers for number in output)


def _permuted(numbers: Numbers, k: int, *, rng: random.Random) -> Args:
    return rng.sample(numbers, len(numbers)), k


def _with_smaller(numbers: Numbers, k: int) -> Args:
    smaller = [min(numbers) - 1 - place for place in range(5)] if numbers else []
    return [*numbers, *smaller], min(k, len(numbers))


# --- figures -------------------------------------------------------------------------------------------------------


def _report(
    rounds: dict[int, list[Round]], sizes: Sequence[Size], bench: _Bench, surroundings: dict[str, object]
) -> Report:
    figures = {
        f"to_metamorphic_guard_{n}": Figure(_median([each.rate("exact") / each.peer_rate for each in taken]), ">= 50")
        for n, taken in rounds.items()
    }
    raw = surroundings | {
        "sizes": [size._asdict() for size in sizes],
        "peer": sandbox_peers.PEER,
        "summary": {str(n): _summary(taken) for n, taken in rounds.items()},
        "samples": {
            str(n): [{"ours": _told(each.ours), "peer": _told(each.peer)} for each in taken]
            for n, taken in rounds.items()
        },
        "uncounted": _told(bench.uncounted),
    }
    return Report("guard", figures, raw)


def _summary(taken: Sequence[Round]) -> dict[str, object]:
    ours, peer = [run for each in taken for run in each.ours], [run for each in taken for run in each.peer]
    return {
        "ours_cases_s": {
            mode: round(_median([each.rate(mode) for each in taken]), 1) for mode in ("exact", "statistical")
        },
        "peer_cases_s": {
            f"{workers} at once": round(_median([run.cases_s for run in peer if run.workers == workers]), 3)
            for workers in sorted({run.workers for run in peer})
        },
        "to_peer_by_round": {
            mode: [round(each.rate(mode) / each.peer_rate, 1) for each in taken] for mode in ("exact", "statistical")
        },
        "per_cpu_to_peer": round(_median([each.per_cpu for each in taken]), 1),
        "decisions": {
            "ours": sorted({f"{run.mode}: {run.decision} ({run.reason})" for run in ours}),
            "peer": sorted({f"{'adopt' if run.adopt else 'not adopted'} ({run.reason})" for run in peer}),
        },
    }


def _median(values: Sequence[float]) -> float:
    return statistics.median(values)


def _told(runs: Sequence[OurRun | PeerRun]) -> list[dict[str, object]]:
    return [asdict(each) for each in runs]
