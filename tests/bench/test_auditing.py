"""The audit of what the gate let in: who is not shown to be faster at the largest size does not stay."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.domains.programs.making import SEED, SORT, StatedClock, prepared, sized, wished

from mendel.bench import auditing
from mendel.bench.timing import FUNCTIONS
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import SandboxRefused

pytestmark = pytest.mark.xdist_group("audits")


@pytest.fixture(scope="module")
def bench(native, tmp_path_factory):
    folder = tmp_path_factory.mktemp("audits")
    task = prepared(native, wished(folder, SORT, "sort", task=sized(folder)))
    return Workbench(task.model_copy(update={"timing_size": 32, "held_sizes": (48, 64)}), SEED)


class Unlucky(StatedClock):
    """At one size of input only the first ``good`` samples are right; with None nothing can be timed there."""

    def __init__(self, inner, cost, size: int, good: int | None) -> None:
        super().__init__(inner, cost)
        self._size, self._good = size, good

    async def compare(self, left, right, cases, **how):
        unlucky = len(cases[0].args[0]) == self._size
        if unlucky and self._good is None:
            raise SandboxRefused("too fast")
        taken = 0
        async for sample in super().compare(left, right, cases, **how):
            taken += 1
            yield replace(sample, wrong=(0,)) if unlucky and taken > self._good else sample


def audited(native, bench, factor, clock=StatedClock, **luck):
    """What is found of a program that is said to be ``factor(length)`` times as fast as the original."""
    head = SORT[: SORT.index("    result = list(items)")]
    program = bench.program({bench.task.main: head + "    return sorted(items)\n"})

    def cost(timed, args):
        length = len(args[0])
        return 1e-4 * length / (factor(length) if timed == program else 1.0)

    return native.awaited(auditing.audited(bench, program, clock(native.sandbox, cost, **luck), SEED))


@pytest.mark.slow
def test_who_is_faster_stays(native, bench):
    found = audited(native, bench, lambda _: 3.0)
    assert (found.agrees, found.detail) == (True, "")
    assert [each.size for each in found.sizes] == [4, 32, 48, 64]
    assert all(each.lower > 2.0 for each in found.sizes)
    assert found.sizes[-1].samples == FUNCTIONS.proof


@pytest.mark.parametrize("at_most", [64, 80])
def test_who_is_not_shown_to_be_faster_at_the_largest_size_does_not(native, bench, at_most):
    found = audited(native, bench, lambda length: 3.0 if length < at_most < 80 else 1.0)
    assert not found.agrees
    assert found.sizes[-1].samples == FUNCTIONS.most_proof
    assert "at size 64 it is not shown to be faster than the original" in found.detail


@pytest.mark.parametrize("good", [None, FUNCTIONS.proof - 1])
def test_who_cannot_be_timed_often_enough_at_the_largest_size_does_not(native, bench, good):
    found = audited(native, bench, lambda _: 3.0, Unlucky, size=64, good=good)
    assert not found.agrees
    assert [each.size for each in found.sizes] == [4, 32, 48]
    assert (
        found.detail == "at size 64 it is not shown to be faster than the original: it could not be timed often enough"
    )


def test_a_smaller_size_may_be_left_out(native, bench):
    found = audited(native, bench, lambda _: 3.0, Unlucky, size=4, good=2)
    assert found.agrees
    assert [each.size for each in found.sizes] == [32, 48, 64]


def test_where_no_clock_is_asked_nothing_is_timed(native, bench):
    quiet = replace(bench, task=bench.task.model_copy(update={"objectives": {"size": 1.0}}))
    found = audited(native, quiet, lambda _: 1.0)
    assert (found.agrees, found.sizes) == (True, ())
