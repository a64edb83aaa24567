"""Originals that bear little: inputs are found on which they end, or they are refused soon."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, checked, prepared, wished

from mendel.contracts.errors import OracleUnfit
from mendel.domains.programs.workbench import Workbench

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
    "by its hint": ("def fib(n: int) -> int:\n" + BODY, "fib"),
    "by its examples": ("def fib(n):\n" + DOCUMENTED + BODY, "fib"),
    "by both": ("def fib(n: int) -> int:\n" + DOCUMENTED + BODY, "fib"),
    "on texts": (COMMON, "common"),
}


@pytest.mark.parametrize("name", EXPONENTIAL)
def test_an_exponential_original_passes_its_own_examination(native, tmp_path, name):
    source, function = EXPONENTIAL[name]
    task = prepared(native, wished(tmp_path, source, function, "opcodes"))
    found = checked(native, Workbench(task, SEED), source)
    assert found.passed, found.detail


SOME = """def some(items: list[int]) -> int:
    while len(items) > 5:
        pass
    return sum(items)
"""


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


def test_a_dataclass_may_hold_others_of_its_file(native, tmp_path):
    task = prepared(native, wished(tmp_path, POLYGON, "Polygon.width", "opcodes"))
    found = checked(native, Workbench(task, SEED), POLYGON)
    assert found.passed, found.detail
