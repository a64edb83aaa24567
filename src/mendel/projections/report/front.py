"""The Pareto front of a run with several objectives: who is beaten by nobody in all of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Final

from mendel.projections.report.models import FrontRow
from mendel.projections.report.population import Examined, Population
from mendel.selection.pareto import ParetoFront
from mendel.selection.population import Member

MOST: Final = 60
"""So many are told; of more, those in the densest places are left out."""


def front_of(population: Population, objectives: Sequence[str], winner: str | None) -> tuple[FrontRow, ...]:
    """The front with the original, by the first objective, the best first; nothing where there is one objective.

    Of equals the winner counts, else the eldest. A winner that somebody dominates, as the search measured them, is
    told all the same.
    """
    if len(objectives) < 2:
        return ()
    front = ParetoFront(dict.fromkeys(objectives, "max"), limit=MOST)
    known = {each.id: each for each in _different(population.candidates.values(), objectives, winner)}
    for each in known.values():
        front.offer(_member(each))
    told = [each for each in known.values() if each.id in front or each.id == winner]
    told.sort(key=lambda each: (-each.gains[objectives[0]], each.birth))
    return tuple(_row(population, each, objectives, winner, dominated=each.id not in front) for each in told)


def _member(known: Examined) -> Member:
    return Member(
        known.id,
        known.birth,
        known.total or 0.0,
        depth=0,
        parentable=True,
        candidate_id=known.id,
        components=known.gains,
    )


def _different(everybody: Iterable[Examined], objectives: Sequence[str], winner: str | None) -> list[Examined]:
    """Those who were measured in every objective, one for each combination of gains."""
    found: dict[tuple[float, ...], Examined] = {}
    for each in sorted(everybody, key=lambda each: (each.id != winner, each.birth, each.id)):
        point = tuple(each.gains[name] for name in objectives if name in each.gains)
        if len(point) == len(objectives) and all(map(isfinite, (*point, each.total or 0.0))):
            found.setdefault(point, each)
    return list(found.values())


def _row(
    population: Population, known: Examined, objectives: Sequence[str], winner: str | None, *, dominated: bool
) -> FrontRow:
    bred = population.genome_of(known.id)
    earlier = population.inherited(bred.id) if bred is not None else None
    return FrontRow(
        candidate_id=known.id,
        birth=known.birth,
        operator=bred.operator if bred is not None else None,
        total=known.total,
        gains={name: known.gains[name] for name in objectives},
        original=population.is_founder(known.id) and earlier is None,
        inherited=earlier.run_id if earlier is not None else None,
        winner=known.id == winner,
        dominated=dominated,
    )
