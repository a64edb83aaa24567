"""The jobs: every policy at its boundary, with every interval and sequential method, in every cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from benchmarks.guard_calibration_cells import CORRELATIONS, Cell, alone, boundary, cell
from benchmarks.guard_calibration_exact import CHECKS, Chances, enumerated
from benchmarks.guard_calibration_script import BUDGET, Setting
from benchmarks.guard_calibration_strata import COMPOSITION, ORDER, stratified

Sequential = Literal["none", "always_valid", "pocock", "obrien_fleming"]

RATES: Final = (1.0, 0.99, 0.95, 0.8)
COMPARED: Final = (
    ("superiority", 0.0),
    ("superiority", 0.02),
    ("noninferiority", 0.02),
    ("noninferiority", 0.05),
    ("equivalence", 0.05),
)
MISMATCHES: Final = (0.02, 0.05)
SEQUENTIAL: Final[tuple[Sequential, ...]] = ("always_valid", "pocock", "obrien_fleming")
OTHERS: Final = ("exact", "newcombe", "wilson", "bca", "studentised", "cluster", "bayesian", "permutation")
STRICT: Final = 0.01
PEER_ALPHA: Final = 0.025
"""The peer's interval is two-sided at 0.05, so this is its level for a false adoption."""

BETTER: Final = (0.95, 0.90)
"""The candidate's and the baseline's rate for which the power is measured."""
POWER_N: Final = 400
FEW_CHECKS: Final = 5
"""Checks for each of the many settings that differ only in alpha."""


class Family(NamedTuple):
    """Challengers of one niche, one after another."""

    policies: tuple[tuple[str, float], ...]
    n: int
    sequential: Sequential = "none"


class Sizes(NamedTuple):
    """The amount of work."""

    n: tuple[int, ...]
    always_valid_n: tuple[int, ...]
    group_sequential_n: tuple[int, ...]
    strict_n: tuple[int, ...]
    exact_n: tuple[int, ...]
    composition_n: tuple[int, ...]
    order_n: tuple[int, ...]
    other_policies: tuple[tuple[str, float], ...]
    families: tuple[Family, ...]
    challenges: int
    sequential_power: bool
    peer_times: int


_TYPICAL: Final = (("superiority", 0.02), ("noninferiority", 0.02))

FULL: Final = Sizes(
    n=(20, 50, 100, 200, 400, 1_000),
    always_valid_n=(20, 50, 100, 200, 400, 1_000),
    group_sequential_n=(20, 50, 100, 200, 400, 1_000),
    strict_n=(20, 50, 100, 200, 400),
    exact_n=(20, 50, 100),
    composition_n=(20,),
    order_n=(20, 50),
    other_policies=COMPARED[:4],
    families=(Family(COMPARED, 100), Family(_TYPICAL[:1], 400), Family(_TYPICAL, 20, "always_valid")),
    challenges=50,
    sequential_power=True,
    peer_times=2_000,
)
QUICK: Final = FULL._replace(
    n=(20, 100),
    always_valid_n=(20, 100),
    group_sequential_n=(20,),
    strict_n=(20,),
    exact_n=(20,),
    composition_n=(20,),
    order_n=(20,),
    other_policies=_TYPICAL,
    families=(Family(_TYPICAL, 100),),
    sequential_power=False,
    peer_times=500,
)


class Job(NamedTuple):
    """One setting, the cells in which its adoptions are counted, and its part of the report."""

    part: Literal["default", "others", "power", "family", "beside"]
    setting: Setting
    cells: tuple[Cell, ...]

    @property
    def weight(self) -> float:
        """Return the approximate duration in seconds; long jobs start first."""
        setting = self.setting
        each = {"exact": 0.6, "bca": 0.2, "studentised": 0.2, "cluster": 0.2}.get(setting.interval or "", 0.01)
        looks = len(setting.sizes) * (2 if setting.sequential != "none" else 1)
        return setting.n * each * looks * (setting.n if setting.interval in COMPOSITION else 1)


def measure(job: Job) -> Chances:
    """Return the probability of an adoption in each cell. Calls ``run``, so no event loop may be running."""
    by_counts = job.setting.interval not in COMPOSITION | ORDER or job.setting.mode != "statistical"
    checks = FEW_CHECKS if job.part == "family" else CHECKS
    return (enumerated if by_counts else stratified)(job.setting, job.cells, checks)


def jobs(sizes: Sizes) -> list[Job]:
    """Return all jobs, long ones first."""
    found = [*_defaults(sizes), *_others(sizes), *_powers(sizes), *_families(sizes), *_beside()]
    return sorted(found, key=lambda job: -job.weight)


def policy(kind: str, margin: float) -> str:
    """Return the policy in the gate's notation."""
    return f"{kind}:margin={margin:g}"


def on_boundary(kind: str, margin: float) -> tuple[Cell, ...]:
    """Return every cell on the policy's boundary, where it must not adopt."""
    return tuple(
        cell(candidate, baseline, correlation)
        for rate in RATES
        for candidate, baseline in boundary(kind, margin, rate)
        for correlation in CORRELATIONS
    )


def _defaults(sizes: Sizes) -> Iterator[Job]:
    plans: list[tuple[Sequential, float, tuple[int, ...]]] = [
        ("none", BUDGET, sizes.n),
        ("always_valid", BUDGET, sizes.always_valid_n),
        ("pocock", BUDGET, sizes.group_sequential_n),
        ("obrien_fleming", BUDGET, sizes.group_sequential_n),
        ("none", STRICT, sizes.strict_n),
    ]
    for sequential, alpha, numbers in plans:
        for n in numbers:
            for kind, margin in COMPARED:
                setting = Setting(policy(kind, margin), n, sequential=sequential, alpha=alpha)
                yield Job("default", setting, on_boundary(kind, margin))
            yield from _absolutes(n, sequential, alpha)
            if sequential == "none":
                yield from _exactly(n, alpha)


def _absolutes(n: int, sequential: Sequential, alpha: float, interval: str | None = None) -> Iterator[Job]:
    for rate in RATES:
        setting = Setting(f"absolute:min_pass_rate={rate:g}", n, "absolute", sequential, alpha, interval)
        yield Job("others" if interval else "default", setting, (alone(rate),))


def _exactly(n: int, alpha: float) -> Iterator[Job]:
    for margin in MISMATCHES:
        setting = Setting(policy("noninferiority", margin), n, "exact", alpha=alpha)
        yield Job("default", setting, (alone(1 - margin),))


def _others(sizes: Sizes) -> Iterator[Job]:
    for interval in OTHERS:
        for n in _sizes_of(interval, sizes):
            for kind, margin in sizes.other_policies:
                yield Job("others", Setting(policy(kind, margin), n, interval=interval), on_boundary(kind, margin))
    for interval in ("wilson", "bayesian"):
        for n in sizes.n:
            yield from _absolutes(n, "none", BUDGET, interval)


def _sizes_of(interval: str, sizes: Sizes) -> tuple[int, ...]:
    if interval in COMPOSITION:
        return sizes.composition_n
    return sizes.order_n if interval in ORDER else sizes.exact_n


def _powers(sizes: Sizes) -> Iterator[Job]:
    plans: Sequence[tuple[Sequential, float]] = (("none", BUDGET), ("none", PEER_ALPHA))
    if sizes.sequential_power:
        plans = (*plans, ("always_valid", BUDGET))
    for kind, margin in COMPARED[:2]:
        for sequential, alpha in plans:
            cells = tuple(cell(*BETTER, correlation) for correlation in CORRELATIONS)
            yield Job("power", Setting(policy(kind, margin), POWER_N, sequential=sequential, alpha=alpha), cells)


def _families(sizes: Sizes) -> Iterator[Job]:
    for policies, n, sequential in sizes.families:
        for kind, margin in policies:
            for k in range(1, sizes.challenges + 1):
                setting = Setting(policy(kind, margin), n, sequential=sequential, challenge=k)
                yield Job("family", setting, on_boundary(kind, margin))


def beside() -> list[tuple[str, float, int, Cell]]:
    """Return candidates that must not be adopted, for us and the peer: the peer's margin, n and the truth."""
    worse, same = cell(0.98, 1.0), cell(1.0, 1.0)
    return [
        *(("noninferiority", 0.02, n, worse) for n in (25, 100, 400)),
        ("superiority", 0.0, 400, same),
        ("superiority", 0.0, 400, cell(0.99, 0.99)),
    ]


def _beside() -> Iterator[Job]:
    for kind, margin, n, truth in beside():
        yield Job("beside", Setting(policy(kind, margin), n), (truth,))
