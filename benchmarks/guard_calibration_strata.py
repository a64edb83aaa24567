"""Probabilities of an adoption when the counts of discordant pairs alone do not decide.

``newcombe`` and ``wilson`` also use the number of pairs that both sides fail: their probabilities are enumerated
exactly, with one more count. The resampling intervals depend on the order of the cases, through fixed seeds: their
probabilities are simulated, stratified by the counts. Given the counts, every order is equally likely, whatever the
pass rates are. So for each count near the edge, the share of drawn orders that are adopted is valid for every cell, and
the probabilities of the counts are exact. For the same number of runs this is far more precise than drawing the counts.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from benchmarks.guard_calibration_cells import Cell, Floats, extent, pairs, shares_of_neither
from benchmarks.guard_calibration_exact import CHECKS, POINT, Chances, Gate, drawn_parts, first
from benchmarks.guard_calibration_script import Part, Setting

COMPOSITION: Final = frozenset({"newcombe", "wilson"})
ORDER: Final = frozenset({"bca", "studentised", "cluster", "permutation", "bayesian"})
"""``bayesian`` depends on counts only, but its draws from the posterior blur the edge."""

FEW_ORDERS: Final = 6
_SURE: Final = 2
"""The search ends after this many consecutive counts with the same decision for every drawn order."""
_ROW: Final = 1e-10


class _Row(NamedTuple):
    """The counts ``c`` and ``neither`` (None: any); from ``b = start`` on, ``shares`` of the orders are adopted.

    Below this range none is adopted, above it all are. ``orders`` are the numbers of drawn orders.
    """

    c: int
    neither: int | None
    start: int
    shares: Floats
    orders: Floats


def stratified(setting: Setting, cells: Sequence[Cell], checks: int = CHECKS) -> Chances:
    """Return the probability of an adoption in each cell, for one look, checked with ``checks`` drawn experiments."""
    gate = Gate(setting)
    rows = list((_by_composition if setting.interval in COMPOSITION else _by_order)(gate, cells))
    sums = [_summed(setting.n, cell, rows) for cell in cells]
    wrong = sum(not agrees for agrees in _checked(gate, cells, rows, checks))
    how = "enumerated" if setting.interval in COMPOSITION else "stratified simulation"
    return Chances([sum_ for sum_, _ in sums], [error for _, error in sums], gate.runs, checks, wrong, how, gate.method)


# --- the composition matters ---------------------------------------------------------------------------------


def _by_composition(gate: Gate, cells: Sequence[Cell]) -> Iterator[_Row]:
    hints: dict[int, int] = {}
    for c, neither in _relevant(gate.setting.n, cells):
        room = gate.setting.n - c - neither
        hint = hints.get(neither, hints.get(neither - 1, c))

        def adopts(b: int, c: int = c, neither: int = neither) -> bool:
            return _one(gate, b, c, neither)

        edge = first(adopts, 0, room, hint)
        hints[neither] = edge + 1
        yield _Row(c, neither, edge, np.empty(0), np.empty(0))


def _one(gate: Gate, b: int, c: int, neither: int) -> bool:
    source = random.Random(f"{gate.setting} {b} {c} {neither}")
    return gate.experiment([Part(gate.setting.n, b, c, neither)], source)[1] == 1


def _relevant(n: int, cells: Sequence[Cell]) -> Iterator[tuple[int, int]]:
    """Yield pairs of ``c`` and ``neither`` that are likely enough in some cell, ordered by ``c``."""
    swapped = [_neither_first(cell) for cell in cells]
    shape = extent(swapped, n)
    likeliest = np.max([pairs(cell, n, (shape[0] + 1, shape[1] + 1)) for cell in swapped], axis=0)
    for c in range(likeliest.shape[1]):
        for neither in np.flatnonzero(likeliest[:, c] > _ROW).tolist():
            yield c, neither


def _neither_first(cell: Cell) -> Cell:
    """Return the cell with ``neither`` in place of ``only_candidate``; the two kinds of passes are merged."""
    return cell._replace(both=cell.both + cell.only_candidate, only_candidate=cell.neither, neither=0.0)


# --- the order matters ---------------------------------------------------------------------------------------


def _by_order(gate: Gate, cells: Sequence[Cell]) -> Iterator[_Row]:
    n = gate.setting.n
    shape = extent(list(cells), n)
    likeliest = np.max([pairs(cell, n, (shape[0] + 1, shape[1] + 1)) for cell in cells], axis=0)
    hint = 0
    for c in range(shape[1] + 1):
        window = np.flatnonzero(likeliest[:, c] > POINT)
        if likeliest[:, c].sum() > _ROW:
            row = _blurred(_Orders(gate, c), c, int(window[0]), int(window[-1]), hint)
            hint = row.start + row.shares.size // 2 + 1
            yield row


class _Orders:
    """Adopted shares of drawn orders, by ``b``; where they differ, more are drawn."""

    def __init__(self, gate: Gate, c: int) -> None:
        self._gate, self._c = gate, c
        self._source = random.Random(f"orders {gate.setting} {c}")
        self._more = max(2_000 // gate.setting.n, 14) if gate.setting.interval != "bayesian" else 0
        self._few = FEW_ORDERS if gate.setting.interval != "bayesian" else 1
        self.known: dict[int, tuple[float, int]] = {}

    def share(self, b: int) -> float:
        """Return the adopted share of the orders of ``b`` and ``c`` discordant pairs."""
        if b not in self.known:
            adopted, drawn = self._draw(b, self._few), self._few
            if 0 < adopted < drawn:
                adopted, drawn = adopted + self._draw(b, self._more), drawn + self._more
            self.known[b] = adopted / drawn, drawn
        return self.known[b][0]

    def _draw(self, b: int, times: int) -> int:
        n = self._gate.setting.n
        parts = (Part(n, b, self._c, self._source.randint(0, n - b - self._c)) for _ in range(times))
        return sum(self._gate.experiment([part], self._source)[1] == 1 for part in parts)


def _blurred(orders: _Orders, c: int, low: int, high: int, hint: int) -> _Row:
    """Return the row, searched outwards from the edge until every order gives the same decision."""
    edge = first(lambda b: orders.share(b) >= 0.5, low, high, hint)
    start = edge - _until_sure(orders.share, range(edge - 1, low - 1, -1), 0.0)
    end = edge + _until_sure(orders.share, range(edge, high + 1), 1.0)
    shares = [orders.known[b] for b in range(start, end)]
    return _Row(
        c, None, start, np.array([share for share, _ in shares]), np.array([float(drawn) for _, drawn in shares])
    )


def _until_sure(share: Callable[[int], float], counts: range, sure: float) -> int:
    """Return how many counts are passed until ``_SURE`` consecutive ones are sure, including these."""
    in_a_row = 0
    for passed, b in enumerate(counts, 1):
        in_a_row = in_a_row + 1 if share(b) == sure else 0
        if in_a_row == _SURE:
            return passed
    return len(counts)


# --- sums ----------------------------------------------------------------------------------------------------


def _summed(n: int, cell: Cell, rows: Sequence[_Row]) -> tuple[float, float]:
    """Return the probability of an adoption and its standard error."""
    shape = n + 1, max(row.c for row in rows) + 1
    chances = pairs(cell, n, shape)
    total, variance = 0.0, 0.0
    neither = {d: shares_of_neither(cell, n - d) for d in range(n + 1)} if rows[0].neither is not None else {}
    for row in rows:
        likely = chances[: n - row.c + 1, row.c] * _with_neither(neither, row, n)
        end = row.start + row.shares.size
        blurred = likely[row.start : end]
        total += float(likely[end:].sum() + blurred @ row.shares)
        if row.shares.size:
            # one more order of each kind, so that the agreement of a few orders is not taken for certainty
            certain = (row.shares * row.orders + 1) / (row.orders + 2)
            mixed = (row.shares > 0) & (row.shares < 1)
            variance += float(np.where(mixed, blurred**2 * certain * (1 - certain) / row.orders, 0.0).sum())
    return total, variance**0.5


def _with_neither(neither: Mapping[int, Floats], row: _Row, n: int) -> Floats:
    if row.neither is None:
        return np.ones(n - row.c + 1)
    found = [neither[b + row.c] for b in range(n - row.c + 1)]
    return np.array([shares[row.neither] if row.neither < shares.size else 0.0 for shares in found])


def _checked(gate: Gate, cells: Sequence[Cell], rows: Sequence[_Row], checks: int) -> Iterator[bool]:
    """Yield whether drawn experiments are decided as predicted; where orders differ, both decisions count."""
    source = random.Random(f"check {gate.setting}")
    draws = np.random.default_rng(zlib.crc32(f"check {gate.setting}".encode()))
    by_counts = {(row.c, row.neither): row for row in rows}
    for _ in range(checks):
        (part,) = drawn_parts(gate.setting, cells[source.randrange(len(cells))], draws)
        adopted = gate.experiment([part], source)[1] == 1
        row = by_counts.get((part.only_baseline, part.neither)) or by_counts.get((part.only_baseline, None))
        yield row is None or adopted in _allowed(row, part.only_candidate)


def _allowed(row: _Row, b: int) -> set[bool]:
    place = b - row.start
    if place < 0 or place >= row.shares.size:
        return {place >= 0}
    return {share > 0 for share in (row.shares[place], row.shares[place] - 1 + 1e-9)}
