"""Originals that bear little: inputs are found on which they end, or they are refused soon."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, checked, prepared, sized, wished

from mendel.bench.sizing import bearable_when_large
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import OracleUnfit

DOCUMENTED = '''    """The n-th.

    >>> fib(10)
    55
    >>> fib(15)
    610
    """
'''
BODY = "    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
COMMON = """def common(a: str, b: str) -> int:
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + common(a[1:], b[1:])
    return max(common(a[1:], b), common(a, b[1:]))
"""
EXPONENTIAL = {
    "by its examples": ("def fib(n):\n" + DOCUMENTED + BODY, "fib"),
    "by hint and examples": ("def fib(n: int) -> int:\n" + DOCUMENTED + BODY, "fib"),
    "on texts": (COMMON, "common"),
}


@pytest.mark.breeding
@pytest.mark.parametrize("name", EXPONENTIAL)
def test_an_exponential_original_is_asked_for_what_it_can_bear_and_takes_it_some_time(native, tmp_path, name):
    source, function = EXPONENTIAL[name]
    objective = "opcodes" if function == "common" else "size"  # whichever is prepared sooner
    task = prepared(native, wished(tmp_path, source, function, objective))
    found = checked(native, Workbench(task, SEED), source)
    assert found.passed, found.detail
    assert function == "common" or 12 < task.timing_size < max(task.held_sizes)


QUICKSORT = """def sort(items: list[int]) -> list[int]:
    if not items:
        return []
    first, rest = items[0], items[1:]
    return [*sort([x for x in rest if x < first]), first, *sort([x for x in rest if x >= first])]
"""


@pytest.mark.slow
def test_where_the_original_recurses_too_deeply_nobody_has_to(native, tmp_path):
    task = prepared(native, wished(tmp_path, QUICKSORT, "sort", "opcodes", task=sized(tmp_path)))
    large = Workbench(task.model_copy(update={"held_sizes": (4_096,)}), SEED)
    found = native.awaited(bearable_when_large(large, native.sandbox, 4_096, task.held_shapes))
    assert "sorted" in task.held_shapes
    assert "sorted" not in found


SOME = """def some(items: list[int]) -> int:
    while len(items) > 5:
        pass
    return sum(items)
"""


@pytest.mark.breeding
def test_an_original_that_ends_on_the_smallest_only_is_refused_before_long(native, tmp_path):
    before = native.sandbox.attempt
    late = []

    async def attempt(ask):
        made = await before(ask)
        late.extend(each for each in made.outcomes if each.kind == "timeout")
        return made

    native.sandbox.attempt = attempt
    try:
        with pytest.raises(OracleUnfit, match="does not end"):
            prepared(native, wished(tmp_path, SOME, "some"))
    finally:
        native.sandbox.attempt = before
    assert len(late) <= 6


POLYGON = """from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


@dataclass
class Polygon:
    points: list[Point]

    def width(self) -> int:
        if not self.points:
            return 0
        return max(each.x for each in self.points) - min(each.x for each in self.points)
"""


@pytest.mark.slow
def test_a_dataclass_may_hold_others_of_its_file(native, tmp_path):
    task = prepared(native, wished(tmp_path, POLYGON, "Polygon.width", "opcodes", task=sized(tmp_path)))
    found = checked(native, Workbench(task, SEED), POLYGON)
    assert found.passed, found.detail
