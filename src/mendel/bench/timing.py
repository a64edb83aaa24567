"""Timing of source: for breeding by itself, relative to a unit of the machine; as evidence side by side with another.

One :class:`Sampling` holds the numbers and lengths of samples. The sandbox takes a single two-sided sample
(``mendel.ports.sandbox``); how the gate collects its samples is its own (``mendel.guard.timing``).

Rejected: timing every candidate in alternation with the original. The gate does so. Here, the slow original would take
most of the time, and a candidate a thousand times as fast could not be told from another fast one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from math import log2
from statistics import median
from typing import Final

from mendel.bench.records import Duelled, Reference, SizeEvidence, Timed
from mendel.contracts.errors import HandlerFailed, SandboxRefused
from mendel.contracts.evaluations import Case, Grants, Limits, Program, TimedSample
from mendel.guard.statistics.means import log_ratio
from mendel.guard.statistics.samples import Bounds
from mendel.ports.sandbox import EMPTY, LEAST_SHARE, Ask, Checked, Sandbox

Pair = tuple[float, float]
"""Seconds of a program and of the unit program, or of both sides of a comparison."""

CLEARLY_WORSE: Final = -0.5
"""Below this gain no timing is needed: the program takes 1.4 times as long as the original."""
AHEAD: Final = 0.93
"""In a duel, a challenger takes at most this share of the champion's time, as the median of the samples."""
_SIDE: Final = 0.025
"""Error probability of each bound of an interval: both together make a 95 % interval."""
UNIT: Final = Program.of(  # a fixed amount of work: times relative to it are comparable as the machine's speed varies
    "def unit():\n    total = 0\n    for number in range(100_000):\n        total += number\n    return total\n", "unit"
)


@dataclass(frozen=True)
class Sampling:
    """How a program is timed: the maximum numbers of samples, and when fewer are enough.

    For breeding, ``samples``; timing stops after ``few`` of them if the gain is below ``hopeless``. A pass shorter than
    ``enough_s`` is repeated, up to ``most_passes`` times. A duel takes ``duel`` samples, the gate ``gate``. Evidence
    takes at least ``proof`` samples and, as long as these show no speed-up, up to ``most_proof``, out of at most
    ``most_taken``, because a sample with another answer does not count; each covers ``inputs`` inputs.
    """

    samples: int = 4
    few: int = 2
    hopeless: float = -0.15
    enough_s: float = 0.01
    most_passes: int = 4
    duel: int = 4
    gate: int = 8
    proof: int = 5
    most_proof: int = 15
    most_taken: int = 30
    inputs: int = 6

    def at_most(self, samples: int) -> Sampling:
        """Return the same sampling with fewer samples as evidence."""
        return replace(self, most_proof=samples, most_taken=samples * self.most_taken // self.most_proof)


FUNCTIONS: Final = Sampling()
"""For function calls, which take milliseconds."""
COMMANDS: Final = Sampling(
    samples=3, few=1, hopeless=CLEARLY_WORSE, most_passes=1, gate=5, most_proof=12, most_taken=12, inputs=8
)
"""For whole commands including the build: they take much longer than a call, so fewer samples are enough."""


@dataclass(frozen=True)
class Track:
    """Where programs are timed, on which cases, and how; with ``ending``, each case must succeed."""

    sandbox: Sandbox
    cases: Sequence[Case]
    limits: Limits
    grants: Grants
    sampling: Sampling = FUNCTIONS
    ending: bool = False

    def beside(self, left: Program, right: Program, check: Checked | None = None) -> AsyncIterator[TimedSample]:
        """Take samples of both programs in alternation; answers must satisfy ``check``, or be equal without it."""
        return self.sandbox.compare(left, right, self.cases, check=check, limits=self.limits, grants=self.grants)


# --- alone, for breeding ---------------------------------------------------------------------------------


class Stopwatch:
    """Times programs on a track, one at a time."""

    def __init__(self, track: Track) -> None:
        self._track, self._sampling = track, track.sampling
        self._ask = Ask(EMPTY, track.cases, track.limits, track.grants, track.limits.batch_s, timed=True)
        self._unit = replace(self._ask, program=UNIT, cases=[Case()])

    async def sample(self, program: Program) -> Pair:
        """Return the seconds of one pass over the cases, and those of the unit program, taken together.

        Raises:
            HandlerFailed: the program did not complete.
        """
        unit = await self._cpu(self._unit)  # right before the program, since the machine's speed changes over time
        spent: list[float] = []
        empty: list[float] = []
        while not spent or self._too_short(sum(spent) - sum(empty), len(spent)):
            spent.append(await self._cpu(replace(self._ask, program=program), whole=True))
            empty.append(await self._cpu(self._ask))
        nothing = sum(empty) / len(empty)
        # Below a certain share of an empty process's time, noise decides.
        return max(sum(spent) / len(spent) - nothing, LEAST_SHARE * nothing), unit

    def _too_short(self, seconds: float, passes: int) -> bool:
        return seconds < self._sampling.enough_s and passes < self._sampling.most_passes

    async def _cpu(self, ask: Ask, *, whole: bool = False) -> float:
        attempt = await self._track.sandbox.attempt(ask)
        ended = len(attempt.outcomes) == len(ask.cases)
        if self._track.ending:
            ended = ended and all(each.succeeded for each in attempt.outcomes)
        if whole and not ended:
            raise HandlerFailed("unsteady", "the program did not complete while it was timed")
        return attempt.usage.cpu_s

    async def measured(self, program: Program) -> Reference:
        """Return a program's time as the median of several samples."""
        samples = [await self.sample(program) for _ in range(self._sampling.samples)]
        return Reference(seconds=median(each[0] for each in samples), unit_s=median(each[1] for each in samples))

    async def timed(self, program: Program, reference: Reference | None) -> Timed:
        """Take samples of a program to compare with the original's time; fewer if it is clearly worse.

        Raises:
            HandlerFailed: the run has no time of the original, or the program did not complete.
        """
        if reference is None:
            raise HandlerFailed("no_reference", "the run has no time of the original to compare with")
        samples: list[Pair] = []
        worse = False
        while len(samples) < self._sampling.samples and not worse:
            samples.append(await self.sample(program))
            worse = len(samples) >= self._sampling.few and gain(reference, samples) < self._sampling.hopeless
        return Timed(gain=gain(reference, samples), samples=tuple(samples), stopped_early=worse)


def gain(reference: Reference, samples: Sequence[Pair]) -> float:
    """Return the speed-up in powers of two, as the median of the samples."""
    before = reference.seconds / reference.unit_s
    return median(log2(before / (seconds / unit)) for seconds, unit in samples)


# --- side by side ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Speedup:
    """The speed-up over the original: geometric mean and interval."""

    estimate: float
    lower: float
    upper: float
    original_ms: float
    samples: int

    def evidence(self, size: int | None = None) -> SizeEvidence:
        """Return it as a record."""
        return SizeEvidence(
            size=size,
            speedup=self.estimate,
            lower=self.lower,
            upper=self.upper,
            original_ms=self.original_ms,
            samples=self.samples,
        )


async def duelled(track: Track, rival: Program, program: Program) -> Duelled:
    """Compare a candidate with the champion; one too fast here to be timed is left to the larger inputs of the gate."""
    ratios: list[float] = []
    try:
        async for sample in track.beside(rival, program):
            ratios.append(sample.ratio)
            if len(ratios) >= track.sampling.duel:
                break
    except SandboxRefused:
        pass
    return Duelled(ratios=tuple(ratios), ahead=not ratios or median(ratios) <= AHEAD)


async def speedup(track: Track, original: Program, program: Program, check: Checked) -> Speedup | None:
    """Measure a program's speed-up over the original; None if too few samples had right answers to prove anything.

    Raises:
        SandboxRefused: the original is too fast on these cases to be timed.
    """
    pairs: list[Pair] = []
    taken = 0
    async for sample in track.beside(original, program, check):
        taken += 1
        if not sample.wrong and sample.left_s > 0:  # a ratio needs a positive time
            pairs.append((sample.left_s, sample.right_s))
        if taken >= track.sampling.most_taken or _enough(pairs, track.sampling):  # `taken` counts wrong samples, too
            break
    return _speedup(pairs, len(track.cases)) if len(pairs) >= track.sampling.proof else None


def _enough(pairs: Sequence[Pair], sampling: Sampling) -> bool:
    return len(pairs) >= sampling.proof and (len(pairs) >= sampling.most_proof or _bounds(pairs).lower > 1.0)


def _bounds(pairs: Sequence[Pair]) -> Bounds:
    left, right = [list(side) for side in zip(*pairs, strict=True)]
    return log_ratio(right, left, _SIDE)


def _speedup(pairs: Sequence[Pair], cases: int) -> Speedup:
    bounds, left = _bounds(pairs), [before for before, _ in pairs]
    return Speedup(bounds.estimate, bounds.lower, bounds.upper, sum(left) / len(left) / cases * 1e3, len(pairs))
