"""Exact probabilities of an adoption: the gate decides which counts are adopted, and their probabilities are summed.

If an interval depends only on the counts of discordant pairs, the gate's decision at a look is a function of the number
of pairs that only the candidate passed (``b``) and that only the baseline passed (``c``). For every relevant ``c``, the
limits of ``b`` for adoption and rejection are found by calling :func:`mendel.guard.run` with scripts on both sides of
them. Each script has its own order of cases and its own share of pairs that both sides fail, drawn from a fixed seed;
to reach a later look, it takes a path on which no earlier look decides. The probabilities of the counts are exact.

Drawn experiments then check that these limits are right and that only these counts matter.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.guard_calibration_cells import Cell, Floats, convolved, extent, pairs
from benchmarks.guard_calibration_script import Part, Setting, judge, scripted
from mendel.guard import Decision

Counts = tuple[int, int]
Decisions = NDArray[np.int8]
"""By [b, c]: 1 where the gate adopts, -1 where it rejects, 0 where it continues or is undecided."""

ROW: Final = 1e-11
"""Counts ``c`` that are less likely than this in every cell are skipped."""
POINT: Final = 1e-14
"""Edges are skipped if every count is less likely than this."""

CHECKS: Final = 40
_NEAR: Final = (0, -1, 1, -2, 2, -3, 3)
_SIGNS: Final = {Decision.ADOPT: 1, Decision.REJECT: -1, Decision.UNDECIDED: 0}


class NotByCounts(RuntimeError):
    """The gate's decisions contradict the assumptions of exact enumeration."""


class Chances(NamedTuple):
    """The probability of an adoption in each cell. ``errors`` are standard errors, 0 if nothing was drawn.

    Of ``checks`` drawn experiments, ``disagreements`` were not decided as predicted. ``method`` is the interval's name
    in the reports.
    """

    adoption: list[float]
    errors: list[float]
    runs: int
    checks: int
    disagreements: int
    how: str
    method: str


def enumerated(setting: Setting, cells: Sequence[Cell], checks: int = CHECKS) -> Chances:
    """Return the exact probability of an adoption in each cell, checked with ``checks`` drawn experiments.

    Raises:
        NotByCounts: a run stopped although the counts predicted that it would continue.
    """
    space = _Space(setting, list(cells))
    adopted = [0.0] * len(cells)
    for look in range(len(setting.sizes)):
        arrived = space.arrive(look)
        decisions = space.decide(look, arrived)
        adopted = [sum_ + float(mass[decisions == 1].sum()) for sum_, mass in zip(adopted, arrived, strict=True)]
    disagreements = sum(not agrees for agrees in _checked(space, checks))
    return Chances(adopted, [0.0] * len(cells), space.gate.runs, checks, disagreements, "enumerated", space.gate.method)


@dataclass
class Gate:
    """The public ``run`` as a function of counts; decisions at the looks on the way are cached."""

    setting: Setting
    runs: int = 0
    method: str = ""
    known: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def decision(self, way: Sequence[Counts], neither: int | None = None) -> int:
        """Return the decision at the last look of ``way``, which has the counts at each look.

        Raises:
            NotByCounts: the run stopped before that look.
        """
        look = len(way) - 1
        if (look, *way[-1]) not in self.known:
            self.known |= {(at, *way[at]): sign for at, sign in enumerate(self._shown(way, neither))}
        if (look, *way[-1]) not in self.known:
            raise NotByCounts(f"{self.setting}: a run along {way} should have continued, but stopped")
        return self.known[look, *way[-1]]

    def _shown(self, way: Sequence[Counts], neither: int | None) -> list[int]:
        sizes = self.setting.sizes
        source = random.Random(f"{self.setting} {way} {neither}")
        asked, (b, c) = sizes[len(way) - 1], way[-1]
        # the candidate fails all cases after the last look of the way, so that a run that continues ends soon
        rest = [(b, c + size - asked) for size in sizes[len(way) :]]
        signs, _ = self.experiment(self._parts([*way, *rest], source, neither), source)
        return signs[: len(way)]

    def _parts(self, way: Sequence[Counts], source: random.Random, neither: int | None) -> Iterator[Part]:
        before, (b_before, c_before) = 0, (0, 0)
        for size, (b, c) in zip(self.setting.sizes, way, strict=True):
            new = Part(size - before, b - b_before, c - c_before)
            concordant = new.size - new.only_candidate - new.only_baseline
            drawn = 0 if self.setting.mode == "absolute" else source.randint(0, max(concordant, 0))
            yield new._replace(neither=drawn if neither is None else neither)
            before, (b_before, c_before) = size, (b, c)

    def experiment(self, parts: Iterator[Part] | Sequence[Part], source: random.Random) -> tuple[list[int], int]:
        """Return the decision of each look of one run, and of the run itself.

        Raises:
            NotByCounts: the looks are at other numbers of cases, or the last one contradicts the report.
        """
        self.runs += 1
        verdict = judge(self.setting, scripted(parts, source)).verdict
        decided = _SIGNS[verdict.decision]
        if verdict.intervals:
            # whether a bound was adjusted differs from run to run
            self.method = verdict.intervals[0].method.removesuffix("_confirmed")
        if self.setting.sequential == "none":
            return [decided], decided
        signs = [_SIGNS[look.decision] for look in verdict.looks]
        sizes = tuple(look.n for look in verdict.looks)
        if sizes != self.setting.sizes[: len(sizes)] or signs[-1] != decided or any(signs[:-1]):
            raise NotByCounts(f"{self.setting}: the looks at {sizes} say {signs}, the report says {verdict.decision}")
        return signs, decided


class _Space:
    """The possible counts at each look, and the gate's decisions on them."""

    def __init__(self, setting: Setting, cells: list[Cell]) -> None:
        self.gate = Gate(setting)
        self.setting, self.cells, self.sizes = setting, cells, setting.sizes
        most = extent(cells, setting.n)
        self.shape = most[0] + 1, most[1] + 1
        self.decisions: list[Decisions] = []
        self._alive: list[NDArray[np.bool_]] = []
        self._mass: list[Floats] = []

    def arrive(self, look: int) -> list[Floats]:
        """Return the probability of each count at ``look`` in each cell, with no decision at earlier looks."""
        if look == 0:
            return [pairs(cell, self.sizes[0], self.shape) for cell in self.cells]
        size = self.sizes[look] - self.sizes[look - 1]
        return [
            convolved(mass, pairs(cell, size, self.shape)) for mass, cell in zip(self._mass, self.cells, strict=True)
        ]

    def decide(self, look: int, arrived: list[Floats]) -> Decisions:
        """Find every edge at ``look`` with the gate."""
        likeliest = np.max(arrived, axis=0)
        rows = np.max([mass.sum(axis=0) for mass in arrived], axis=0)
        decisions = np.zeros(self.shape, dtype=np.int8)
        fill = _Edges(decisions, last=look == len(self.sizes) - 1)
        asked = np.flatnonzero(rows > ROW).tolist()
        if self.setting.mode != "statistical":
            fill.along(lambda c: self._asked(look, c)(0), asked[0], asked[-1])
            asked = []
        between = self.setting.policy.startswith("equivalence")
        for c in asked:
            window = np.flatnonzero(likeliest[:, c] > POINT).tolist()
            (fill.between if between else fill.above)(self._asked(look, c), c, window[0], window[-1])
        self.decisions.append(decisions)
        # a way contains only counts with a known decision
        self._alive.append((decisions == 0) & (likeliest > POINT) & (rows > ROW))
        self._mass = [np.where(decisions == 0, mass, 0.0) for mass in arrived]
        return decisions

    def _asked(self, look: int, c: int) -> Callable[[int], int]:
        def decision(b: int) -> int:
            way = self._way(look, b, c)
            return self._decided_before(look, b, c) if way is None else self.gate.decision(way)

        return decision

    def _decided_before(self, look: int, b: int, c: int) -> int:
        """Return a stand-in decision for unreachable counts, so that a row has no gaps; their probability is zero.

        For equivalence, which has edges on both sides of such counts, those in the middle were adopted before.
        """
        kind, _, margin = self.setting.policy.partition(":margin=")
        if kind != "equivalence" or look == 0:
            return 0
        return 1 if abs(b - c) <= float(margin) * self.sizes[look] else -1

    def _way(self, look: int, b: int, c: int) -> list[Counts] | None:
        """Return counts at each look that lead there and are undecided before; None if there are none."""
        if b + c > self.sizes[look]:
            return None
        way = [(b, c)]
        for at in range(look, 0, -1):
            before = self._before(at, *way[0])
            if before is None:
                return None
            way.insert(0, before)
        return way

    def _before(self, look: int, b: int, c: int) -> Counts | None:
        """Return the undecided counts one look earlier that can lead here, those nearest to their expected share."""
        room, share = self.sizes[look] - self.sizes[look - 1], self.sizes[look - 1] / self.sizes[look]
        first_b, first_c = max(0, b - room), max(0, c - room)
        box = self._alive[look - 1][first_b : b + 1, first_c : c + 1]
        found = np.argwhere(box) + np.array([first_b, first_c])
        found = found[(b + c) - found.sum(axis=1) <= room]
        if not len(found):
            return None
        nearest = np.argmin(((found - (b * share, c * share)) ** 2).sum(axis=1))
        return int(found[nearest][0]), int(found[nearest][1])


class _Edges:
    """Fills decisions row by row; the edges of one row are hints for those of the next."""

    def __init__(self, decisions: Decisions, *, last: bool) -> None:
        self._decisions = decisions
        self._last = last
        self._found: dict[str, tuple[int, int]] = {}
        self._without = 0

    def above(self, decision: Callable[[int], int], c: int, low: int, high: int) -> None:
        """Fill a row with an adopted upper part and a rejected lower part."""
        adopted = self._edge("adopt", lambda b: decision(b) == 1, low, high)
        self._decisions[adopted:, c] = 1
        if not self._last:
            # at the last look, a rejection has no other effect than no decision
            self._decisions[: self._edge("reject", lambda b: decision(b) != -1, low, adopted - 1), c] = -1

    def along(self, decision: Callable[[int], int], low: int, high: int) -> None:
        """Fill the row of a single side: few failures or differing answers are adopted, many are rejected."""
        adopted = self._edge("adopt", lambda c: decision(c) != 1, low, high)
        self._decisions[0, :adopted] = 1
        if not self._last:
            self._decisions[0, self._edge("reject", lambda c: decision(c) == -1, adopted, high) :] = -1

    def between(self, decision: Callable[[int], int], c: int, low: int, high: int) -> None:
        """Fill a row with an adopted part around ``c`` and rejected ends.

        If a row has no such part, rows with more discordant pairs have none either.
        """
        near = (c + step for step in _NEAR if c + step >= 0)
        centre = next((b for b in near if decision(b) == 1), None) if self._without < len(_NEAR) else None
        self._without = self._without + 1 if centre is None else 0
        start, end = (c, c - 1) if centre is None else (centre, centre)
        if centre is not None:
            start = self._edge("start", lambda b: decision(b) == 1, low, centre)
            end = self._edge("end", lambda b: decision(b) != 1, centre, high) - 1
            self._decisions[start : end + 1, c] = 1
        if not self._last:
            self._decisions[: self._edge("reject", lambda b: decision(b) != -1, low, start - 1), c] = -1
            self._decisions[self._edge("beyond", lambda b: decision(b) == -1, end + 1, high) :, c] = -1

    def _edge(self, name: str, holds: Callable[[int], bool], low: int, high: int) -> int:
        if high < low:
            return low
        now, before = self._found.get(name, (low, low))
        edge = first(holds, low, high, 2 * now - before)
        self._found[name] = (edge, now if name in self._found else edge)
        return edge


def first(holds: Callable[[int], bool], low: int, high: int, hint: int) -> int:
    """Return the least of ``low`` … ``high`` from which on ``holds`` is true, or ``high + 1`` if it never is."""
    below, above, step = low - 1, high + 1, 1
    at = min(max(hint, low), high)
    while above - below > 1:
        if holds(at):
            above, guess = at, at - step
        else:
            below, guess = at, at + step
        step *= 2
        at = guess if below < guess < above else (below + above) // 2
    return above


def _checked(space: _Space, checks: int) -> Iterator[bool]:
    """Yield whether experiments drawn pair by pair are decided as the counts predict."""
    source = random.Random(f"check {space.setting}")
    draws = np.random.default_rng(zlib.crc32(f"check {space.setting}".encode()))
    for _ in range(checks):
        cell = space.cells[source.randrange(len(space.cells))]
        parts = list(drawn_parts(space.setting, cell, draws))
        _, decided = space.gate.experiment(parts, source)
        # the last look does not distinguish the other decisions
        yield (decided == 1) == _adoption_predicted(space, parts)


def drawn_parts(setting: Setting, cell: Cell, draws: np.random.Generator) -> Iterator[Part]:
    """Return the counts of one experiment at each look."""
    before = 0
    chances = np.array([cell.only_candidate, cell.only_baseline, cell.neither, cell.both])
    for size in setting.sizes:
        b, c, neither, _ = draws.multinomial(size - before, chances / chances.sum()).tolist()
        yield Part(size - before, b, c, neither)
        before = size


def _adoption_predicted(space: _Space, parts: Sequence[Part]) -> bool:
    b = c = 0
    for part, decisions in zip(parts, space.decisions, strict=True):
        b, c = b + part.only_candidate, c + part.only_baseline
        sign = int(decisions[b, c]) if b < decisions.shape[0] and c < decisions.shape[1] else 0
        if sign:
            return sign == 1
    return False
