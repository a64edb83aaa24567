"""Cells and their owners: a grid, a tessellation, and who is protected."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.selection.crowds import filled, member
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.contracts.run_config import ArchiveConfig, Descriptor, IslandsConfig
from mendel.selection.archive import Archive, archive_of
from mendel.selection.cells import Axis, GridCells
from mendel.selection.cvt import CentroidCells
from mendel.selection.survival import Survival

SPEED, SIZE = Axis("speed", 0.0, 1.0, 4), Axis("size", -10.0, 10.0, 2)
numbers = st.floats(allow_nan=False, allow_infinity=False)


def at(number, fitness, speed):
    return member(number, fitness, descriptor={"speed": speed})


members = st.lists(
    st.builds(at, st.integers(0, 30), st.sampled_from([-1.0, 0.0, 2.0]), st.sampled_from([0.0, 0.3, 0.6, 0.9])),
    max_size=20,
    unique_by=lambda each: each.genome_id,
)


# --- grid ----------------------------------------------------------------------------------------------------------


@check_rows(
    ("point", "cell"),
    [
        ((0.0, -10.0), (0, 0)),
        ((0.249, -0.1), (0, 0)),
        ((0.25, 0.0), (1, 1)),
        ((1.0, 10.0), (3, 1)),
        ((7.0, -99.0), (3, 0)),
        ((-1e308, 1e308), (0, 1)),
    ],
)
def test_a_point_has_a_bin_on_each_axis(point, cell):
    assert GridCells([SPEED, SIZE]).cell(point) == cell


@given(numbers, numbers, st.floats(-1e308, 1e308), st.floats(-1e308, 1e308), st.integers(1, 9))
def test_bins_are_in_order_and_in_range(one, other, low, high, bins):
    low, high = min(low, high), max(low, high)
    if not high / 2 - low / 2 > 0:
        return
    grid = GridCells([Axis("speed", low, high, bins)])
    (first,), (second,) = grid.cell([min(one, other)]), grid.cell([max(one, other)])
    assert 0 <= first <= second < bins
    assert len(grid) == bins


@check_rows("wrong", [(1.0, 1.0, 3), (2.0, 1.0, 3), (0.0, 1.0, 0), (0.0, float("nan"), 3)])
def test_an_axis_has_a_length_and_a_bin(wrong):
    with pytest.raises(ValueError, match="speed"):
        Axis("speed", *wrong)


@pytest.mark.parametrize("axes", [[], [SPEED, SPEED]])
def test_axes_differ(axes):
    with pytest.raises(ValueError, match="axes"):
        GridCells(axes)


# --- tessellation --------------------------------------------------------------------------------------------------


def test_the_same_key_gives_the_same_cells():
    one, other = (CentroidCells([SPEED, SIZE], 32, Entropy("cells")) for _ in range(2))
    assert one.centroids == other.centroids
    assert one.centroids != CentroidCells([SPEED, SIZE], 32, Entropy("others")).centroids
    assert len(one) == len(set(one.centroids)) == 32


@settings(deadline=None)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=9))
def test_a_point_belongs_to_the_nearest_centroid(points):
    cells = CentroidCells([SPEED, SIZE], 9, Entropy("nearest"))
    for point in points:
        where = [min(1.0, max(0.0, point[0])), min(1.0, max(0.0, (point[1] / 2 + 5) / 10))]
        away = [sum((a - b) ** 2 for a, b in zip(where, centroid, strict=True)) for centroid in cells.centroids]
        (cell,) = cells.cell(point)
        assert away[cell] == pytest.approx(min(away))


def test_cells_are_about_equally_large():
    """As those of points that were not moved are not."""
    cells = CentroidCells([SPEED, Axis("memory", 0.0, 1.0)], 16, Entropy("even"))
    draws = Entropy("uniform")
    found = [cells.cell((draws.unit("x", n), draws.unit("y", n))) for n in range(4_000)]
    shares = [found.count((cell,)) / 4_000 for cell in range(16)]
    assert min(shares) > 0.2 / 16
    assert max(shares) < 2.5 / 16


def test_a_tessellation_has_a_cell():
    with pytest.raises(ValueError, match="at least one"):
        CentroidCells([SPEED], 0, Entropy("none"))


# --- owners --------------------------------------------------------------------------------------------------------


@given(members, st.data())
def test_the_best_rank_owns_whatever_the_order_of_placing(placed, data):
    archive, other = Archive(GridCells([SPEED])), Archive(GridCells([SPEED]))
    for each in placed:
        archive.place(each)
    for each in data.draw(st.permutations(placed)):
        other.place(each)
    assert list(archive.owners()) == list(other.owners())
    for each in placed:
        rivals = [one for one in placed if archive.cell_of(one) == archive.cell_of(each)]
        assert archive.protected(each.genome_id) == (each == min(rivals, key=lambda one: one.rank))


def test_placing_says_where():
    archive = Archive(GridCells([SPEED]))
    assert archive.place(at(1, 5.0, 0.3)) == archive.place(at(2, 1.0, 0.4)) == (1,)
    assert archive.owner((1,)) == at(1, 5.0, 0.3)
    assert archive.owner((2,)) is None
    assert (len(archive), archive.coverage) == (1, 0.25)


def test_whoever_lacks_a_descriptor_has_no_cell():
    archive = Archive(GridCells([SPEED, SIZE]))
    assert archive.place(at(1, 5.0, 0.3)) is None
    assert not archive.protected("genome-1")


def test_age_is_the_depth_of_a_lineage_unless_somebody_says_otherwise():
    archive = Archive(GridCells([Axis("age", 0.0, 10.0, 10)]))
    assert archive.place(member(1, depth=7)) == (7,)
    assert archive.place(member(2, depth=7, descriptor={"age": 3.0})) == (3,)


def test_a_cell_whose_owner_is_gone_is_empty():
    archive = Archive(GridCells([SPEED]))
    archive.place(at(1, 5.0, 0.3))
    archive.forget("genome-1")
    archive.forget("genome-9")
    assert (archive.owner((1,)), archive.protected("genome-1")) == (None, False)


@pytest.mark.parametrize("kind", ["grid", "cvt"])
def test_a_run_configures_its_archive(kind):
    axes = (Descriptor(name="speed", low=0.0, high=1.0, bins=4), Descriptor(name="age", low=0.0, high=9.0, bins=3))
    archive = archive_of(ArchiveConfig(kind=kind, descriptors=axes, cells=12), Entropy("archive"))
    archive.place(at(1, 1.0, 0.5))
    assert archive.coverage == pytest.approx(1 / 12)


AXIS = {"name": "speed", "low": 0.0, "high": 1.0}


@check_rows(
    "wrong",
    [
        {"descriptors": []},
        {"descriptors": [AXIS, AXIS]},
        {"descriptors": [{**AXIS, "name": f"a{n}"} for n in range(9)]},
        {"descriptors": [AXIS], "kind": "hexagons"},
        {"descriptors": [AXIS], "cells": 0},
        {"descriptors": [AXIS], "cells": 1_025},
        {"descriptors": [{**AXIS, "high": 0.0}]},
        {"descriptors": [{**AXIS, "high": 5e-324}]},
        {"descriptors": [{**AXIS, "high": float("inf")}]},
        {"descriptors": [{**AXIS, "bins": 0}]},
    ],
)
def test_an_archive_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValidationError):
        ArchiveConfig.model_validate(wrong)


@check_rows("wrong", [{"count": 1}, {"count": 65}, {"interval": 0}, {"migrants": 0}])
def test_islands_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValidationError):
        IslandsConfig.model_validate(wrong)


# --- survival ------------------------------------------------------------------------------------------------------


def out_of(survival, population, count):
    gone = []
    for _ in range(count):
        gone.append(survival.next_out(population).genome_id)
        population.remove(gone[-1])
        survival.left(gone[-1])
    return gone


def surviving(placed, archive=None, home=None):
    survival, population = Survival(archive, home), filled(placed)
    for each in placed:
        survival.joined(each)
    return survival, population


@given(members, st.integers(0, 20))
def test_owners_go_last_and_the_worse_first(placed, count):
    archive = Archive(GridCells([SPEED]))
    survival, population = surviving(placed, archive)
    owners = {each.genome_id for each in archive.owners()}
    gone = out_of(survival, population, min(count, len(placed)))
    order = sorted(placed, key=lambda each: each.rank, reverse=True)
    expected = sorted(order, key=lambda each: each.genome_id in owners)
    assert gone == [each.genome_id for each in expected[: len(gone)]]


@given(members, st.integers(0, 20))
def test_without_cells_and_islands_the_worst_go(placed, count):
    survival, population = surviving(placed)
    gone = out_of(survival, population, min(count, len(placed)))
    order = sorted(placed, key=lambda each: each.rank, reverse=True)
    assert gone == [each.genome_id for each in order[: len(gone)]]


def test_an_owner_that_is_beaten_is_protected_no_more():
    archive = Archive(GridCells([SPEED]))
    placed = [at(1, 1.0, 0.1), at(2, 9.0, 0.9)]
    survival, population = surviving(placed, archive)
    for each in (at(3, 5.0, 0.1), at(4, 2.0, 0.9)):
        population.add(each)
        survival.joined(each)
    assert out_of(survival, population, 4) == ["genome-1", "genome-4", "genome-3", "genome-2"]


@given(members, st.integers(0, 20))
def test_the_largest_island_makes_room(placed, count):
    homes = {each.genome_id: each.birth % 3 for each in placed}
    survival, population = surviving(placed, home=homes.get)
    for gone in range(min(count, len(placed))):
        sizes = [sum(homes[each.genome_id] == island for each in population.ranked()) for island in range(3)]
        (who,) = out_of(survival, population, 1)
        assert sizes[homes[who]] == max(sizes), gone


def test_a_member_that_changed_is_the_same_member():
    archive = Archive(GridCells([SPEED]))
    survival, population = surviving([at(1, 1.0, 0.1), at(2, 0.5, 0.1)], archive)
    survival.joined(at(1, 1.0, 0.1))
    survival.joined(at(2, 0.5, 0.1))
    assert out_of(survival, population, 2) == ["genome-2", "genome-1"]
