"""How often the gate wrongly adopts by recorded samples: decisions of the public ``judge_samples``, summed exactly.

A case is in favour of the candidate, against it, or neither. For every number of cases against, the smallest number in
favour at which the gate adopts is found, with samples in their own order, sizes and operations, drawn from a fixed
seed. The probabilities of the numbers are exact, even at the thousandth challenge of a niche, where a simulation would
never see a false adoption.

In a "repeated" claim, the caller repeats every case that is not in favour of the candidate until it is, and submits all
of its samples. The numbers are those of the first samples, so the share shows any gain from repeating.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from benchmarks.guard_calibration_cells import CORRELATIONS, Cell, alone, boundary, cell, pairs
from benchmarks.guard_calibration_exact import first
from benchmarks.guard_calibration_script import BUDGET
from mendel.contracts.verdicts import Challenge, Decision, Verdict
from mendel.guard import Sample, judge_samples
from mendel.guard.recorded_samples import SampleMode
from mendel.guard.statistics.special import normal_cdf

BOUNDS: Final = (0.0, 1.0)
RATES: Final = (0.99, 0.95, 0.8)
COMPARED: Final = (("superiority", 0.02), ("noninferiority", 0.05), ("superiority", 0.0))
DEVIATIONS: Final = (0.3, 0.0)
CHECKS: Final = 12


class SampleSizes(NamedTuple):
    """Numbers of cases for each mode, by challenge, and the number of comparisons and margins."""

    cases: dict[int, tuple[int, ...]]
    single: dict[int, tuple[int, ...]]
    kinds: int


EVERY_SAMPLE: Final = SampleSizes({1: (11, 20), 1_000: (40, 50)}, {1: (11, 20, 50, 100, 400), 1_000: (50, 100, 400)}, 3)
FEW_SAMPLES: Final = SampleSizes({1: (11,), 1_000: (40,)}, {1: (20, 100), 1_000: (50, 400)}, 2)


class SampleSetting(NamedTuple):
    """One setting. ``claim`` is its name on the page, ``middle`` the value of a case in favour of neither side."""

    claim: str
    mode: SampleMode
    policy: str
    n: int
    challenge: int
    truths: tuple[Cell, ...]
    bounds: tuple[float, float] | None = None
    middle: float = 0.0
    repeated: bool = False

    @property
    def spent(self) -> Challenge:
        """Return the challenge with its share of the budget."""
        return Challenge.nth("samples", self.challenge, BUDGET)

    @property
    def weight(self) -> float:
        """Return the approximate duration in seconds; long jobs start first."""
        exact = self.mode == "paired_outcomes" or self.policy.endswith("sd")
        return self.n * (self.n + 50) / 800 if exact else 0.5


class SampleChances(NamedTuple):
    """The probability of an adoption for each truth, and the numbers of calls, checks and disagreements."""

    adoption: list[float]
    method: str
    asked: int
    checks: int
    disagreements: int


def measure_samples(setting: SampleSetting) -> SampleChances:
    """Return the probability of a false adoption at each truth, all on the policy's boundary."""
    gate = _Gate(setting)
    edges = gate.edges
    adoption = []
    for truth in setting.truths:
        chances = pairs(truth, setting.n, (setting.n + 1, setting.n + 1))
        adoption.append(float(sum(chances[edge:, down].sum() for down, edge in enumerate(edges))))
    wrong = sum(not agrees for agrees in gate.checked())
    return SampleChances(adoption, gate.method, gate.asked, CHECKS, wrong)


class _Gate:
    """The public ``judge_samples`` as a function of the numbers of cases for and against the candidate."""

    def __init__(self, setting: SampleSetting) -> None:
        self.setting = setting
        self.asked = 0
        self.method = ""

    @cached_property
    def edges(self) -> list[int]:
        """Return, by number of cases against, the smallest number for it that is adopted; ``n + 1`` if none is."""
        found: list[int] = []
        n = self.setting.n
        for down in range(n + 1):
            known = found[-1] if found else 0
            room = n - down
            if known > room:
                found.append(n + 1)  # one more case against needs at least as many cases for it
                continue
            edge = first(lambda up, down=down: self.adopts(up, down), known, room, known + 1)  # type: ignore[misc]
            found.append(edge if edge <= room else n + 1)
        return found

    def adopts(self, up: int, down: int) -> bool:
        """Whether the gate adopts with these numbers of cases for and against."""
        self.asked += 1
        setting = self.setting
        samples = list(_samples(setting, up, down, random.Random(f"{setting[:5]} {up} {down} {self.asked}")))
        verdict = _judged(setting, samples)
        self.method = verdict.intervals[0].method
        return verdict.decision is Decision.ADOPT

    def checked(self) -> Iterator[bool]:
        """Yield whether experiments drawn case by case are decided as the numbers predict."""
        setting = self.setting
        draws = np.random.default_rng(zlib.crc32(f"check {setting[:5]}".encode()))
        for number in range(CHECKS):
            truth = setting.truths[number % len(setting.truths)]
            # half-way better than the boundary, because hardly any would be adopted otherwise
            chances = np.array([truth.only_candidate + 0.5 * truth.only_baseline, 0.5 * truth.only_baseline])
            up, down, _ = draws.multinomial(setting.n, [*chances, max(0.0, 1.0 - chances.sum())]).tolist()
            yield self.adopts(up, down) == (up >= self.edges[down])


def _judged(setting: SampleSetting, samples: Sequence[Sample]) -> Verdict:
    return judge_samples(
        samples,
        mode=setting.mode,
        candidate_id="candidate:1",
        challenge=setting.spent,
        policy=setting.policy,
        sandboxed=False,
        used_cases=(),
        bounds=setting.bounds,
    )


def _samples(setting: SampleSetting, up: int, down: int, source: random.Random) -> Iterator[Sample]:
    signs = [1] * up + [-1] * down + [0] * (setting.n - up - down)
    source.shuffle(signs)
    for case, sign in enumerate(signs):
        sides = _sides(setting, sign, source)
        seen = [sides] * source.choice((1, 1, 1, 2))  # repeats count once
        if setting.repeated and sign <= 0:
            seen += [sides] * source.randint(0, 2) + [_sides(setting, 1, source) for _ in range(2)]
        for each in seen:
            yield Sample(f"{setting.challenge}/{case}", f"operation:{source.randint(1, 9)}", *each)


def _sides(setting: SampleSetting, sign: int, source: random.Random) -> tuple[bool | float, bool | float | None]:
    """Return the results of candidate and champion in a case in favour of one of them, or of neither."""
    if setting.mode == "absolute":
        return sign > 0, None
    if setting.mode == "paired_outcomes":
        both = source.random() < 0.5
        return (sign > 0, sign < 0) if sign else (both, both)
    if setting.bounds is not None:
        return (
            (0.5 + 0.5 * sign, 0.5 - 0.5 * sign) if sign else (0.5 + 0.5 * setting.middle, 0.5 - 0.5 * setting.middle)
        )
    champion = float(source.randint(-9, 9))
    size = 2.0 ** source.randint(-3, 9)  # the size of the difference must not matter, only its sign
    return champion + _raw_margin(setting) + sign * size, champion


def _raw_margin(setting: SampleSetting) -> float:
    if setting.policy.endswith("sd"):
        return 0.0
    kind, _, margin = setting.policy.partition(":margin=")
    return float(margin) if kind == "superiority" else -float(margin)


# --- what is measured --------------------------------------------------------------------------------------


def sample_settings(sizes: SampleSizes) -> Iterator[SampleSetting]:
    """Return every mode at its boundary, at the first and at the thousandth challenge."""
    for k, numbers in sizes.single.items():
        for n in numbers:
            yield from _rates(n, k)
            yield from _medians(n, k)
    for k, numbers in sizes.cases.items():
        for n in numbers:
            yield from _means(n, k)
            for kind, margin in COMPARED[: sizes.kinds]:
                truths = _unlike(kind, margin)
                policy = f"{kind}:margin={margin:g}"
                yield SampleSetting("paired outcomes", "paired_outcomes", policy, n, k, truths)
            for margin in DEVIATIONS[: sizes.kinds - 1]:
                policy = f"superiority:margin={margin:g}sd"
                yield SampleSetting("paired reals, deviations", "paired_reals", policy, n, k, _deviant(margin))
            yield from _repeated(n, k)


def _repeated(n: int, k: int) -> Iterator[SampleSetting]:
    """Yield one setting of each claim, with a caller who repeats unfavourable cases."""
    settings = (
        next(_rates(n, k))._replace(policy="absolute:min_pass_rate=0.5", truths=(_passing(0.5),)),
        SampleSetting("paired outcomes", "paired_outcomes", "superiority:margin=0", n, k, _unlike("superiority", 0.0)),
        next(_medians(n, k)),
        next(_means(n, k)),
        SampleSetting("paired reals, deviations", "paired_reals", "superiority:margin=0sd", n, k, _deviant(0.0)),
    )
    for setting in settings:
        yield setting._replace(claim=f"{setting.claim}, repeated", repeated=True)


def _rates(n: int, k: int) -> Iterator[SampleSetting]:
    for rate in RATES:
        yield SampleSetting("absolute", "absolute", f"absolute:min_pass_rate={rate:g}", n, k, (_passing(rate),))


def _passing(rate: float) -> Cell:
    return alone(rate)._replace(both=0.0, only_candidate=rate)


def _unlike(kind: str, margin: float) -> tuple[Cell, ...]:
    """Return pass rates at the boundary, and pairs of which none, half or nine tenths agree."""
    sides = [each for rate in (1.0, 0.95, 0.8) for each in boundary(kind, margin, rate)]
    known = [cell(*each, correlation) for each in sides for correlation in CORRELATIONS]
    needed = margin if kind == "superiority" else -margin
    return (*known, *(_shares(needed, tied) for tied in (0.0, 0.5, 0.9)))


def _shares(difference: float, tied: float) -> Cell:
    """Return a truth with this excess of cases for the candidate, and a share ``tied`` in favour of neither."""
    up = 0.5 * (1.0 - tied + difference)
    return cell(0.5, 0.5)._replace(both=tied, only_candidate=up, only_baseline=1.0 - tied - up, neither=0.0)


def _medians(n: int, k: int) -> Iterator[SampleSetting]:
    """Yield settings with half of the cases above the margin; some of the others may be on it."""
    truths = (_shares(0.0, 0.0), cell(0.5, 0.5)._replace(both=0.2, only_candidate=0.5, only_baseline=0.3, neither=0.0))
    for policy in ("superiority:margin=4", "noninferiority:margin=0.5"):
        yield SampleSetting("paired reals, median", "paired_reals", policy, n, k, truths)


def _means(n: int, k: int) -> Iterator[SampleSetting]:
    """Yield distributions on both ends of the range and a value between, with the margin as their mean."""
    for margin, middle in ((0.0, -0.75), (0.0, 0.0625), (0.25, 0.5)):
        truths = tuple(
            _shares(margin - share * middle, share)
            for share in (0.0, 0.3, 0.9)
            if abs(margin - share * middle) <= 1.0 - share
        )
        policy = f"superiority:margin={margin:g}"
        yield SampleSetting("paired reals, mean", "paired_reals", policy, n, k, truths, BOUNDS, middle)


def _deviant(margin: float) -> tuple[Cell, ...]:
    """Return a normal difference with mean ``margin``, and others with the same excess of positive cases."""
    surplus = 2.0 * normal_cdf(margin) - 1.0
    return tuple(_shares(surplus, tied) for tied in (0.0, 0.3, 0.6))
