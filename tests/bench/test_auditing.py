"""The audit of what the gate let in: who is not shown to be faster at the largest size does not stay."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, SORT, StatedClock, prepared, sized, wished

from mendel.bench.auditing import _by_size, _slower
from mendel.bench.timing import FUNCTIONS
from mendel.bench.workbench import Workbench

pytestmark = pytest.mark.xdist_group("audits")


@pytest.fixture(scope="module")
def bench(native, tmp_path_factory):
    folder = tmp_path_factory.mktemp("audits")
    task = prepared(native, wished(folder, SORT, "sort", task=sized(folder)))
    return Workbench(task.model_copy(update={"timing_size": 32, "held_sizes": (48, 64)}), SEED)


def audited(native, bench, factor):
    """What is found of a program that is said to be ``factor(length)`` times as fast as the original."""
    head = SORT[: SORT.index("    result = list(items)")]
    program = bench.program({bench.task.main: head + "    return sorted(items)\n"})

    def cost(timed, args):
        length = len(args[0])
        return 1e-4 * length / (factor(length) if timed == program else 1.0)

    return native.awaited(_by_size(bench, program, StatedClock(native.sandbox, cost), SEED))


def test_who_is_faster_stays(native, bench):
    sizes = audited(native, bench, lambda _: 3.0)
    assert [each.size for each in sizes] == [4, 32, 48, 64]
    assert all(each.lower > 2.0 for each in sizes)
    assert sizes[-1].samples == FUNCTIONS.proof
    assert _slower(sizes) is None


@pytest.mark.parametrize("at_most", [64, 80])
def test_who_is_not_shown_to_be_faster_at_the_largest_size_does_not(native, bench, at_most):
    sizes = audited(native, bench, lambda length: 3.0 if length < at_most < 80 else 1.0)
    assert sizes[-1].samples == FUNCTIONS.most_proof
    assert "at size 64 it is not shown to be faster than the original" in _slower(sizes)
