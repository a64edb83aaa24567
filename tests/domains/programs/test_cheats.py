"""Candidates that seem to be better: each is found out before it is adopted, by name."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, SORT, checked, prepared, wished

from mendel.contracts.verdicts import Challenge, Decision
from mendel.domains.programs.challenging import _judged
from mendel.domains.programs.workbench import Workbench

HEAD = "def sort(items: list[int]) -> list[int]:\n"
FALLS = {
    "raises": ("    raise ValueError('fast')\n", "small"),
    "answers wrongly": ("    return list(items)\n", "small"),
    "is right on short ones only": ("    return sorted(items) if len(items) < 9 else list(items)\n", "differential"),
    "hands its input back": ("    items.sort()\n    return items\n", "meddles"),
    "changes its input": ("    items.sort()\n    return list(items)\n", "meddles"),
    "never ends": ("    while True:\n        pass\n", "resources"),
    "looks at the stack": ("    import sys\n    return sys._getframe(1).f_locals and sorted(items)\n", "policy"),
    "inspects": ("    import inspect\n    return sorted(items) if inspect.stack() else []\n", "policy"),
    "reads files": ("    open('/etc/passwd').read()\n    return sorted(items)\n", "policy"),
    "patches": ("    import time\n    time.process_time = lambda: 0.0\n    return sorted(items)\n", "policy"),
    "is random": ("    import random\n    return sorted(items) if random.random() < 0.99 else []\n", None),
}


@pytest.fixture(scope="module")
def bench(native, tmp_path_factory):
    task = prepared(native, wished(tmp_path_factory.mktemp("cheats"), SORT, "sort"))
    return Workbench(task, SEED)


@pytest.mark.parametrize("name", FALLS)
def test_a_cheat_falls_by_name(native, bench, name):
    body, stage = FALLS[name]
    found = checked(native, bench, SORT[: SORT.index("def sort")] + HEAD + body)
    assert not found.passed
    assert stage is None or found.stage == stage, (found.stage, found.detail)
    assert found.detail


def test_an_honest_improvement_passes_with_its_gain(native, bench):
    found = checked(native, bench, SORT[: SORT.index("def sort")] + HEAD + "    return sorted(items)\n")
    assert found.passed, found.detail
    assert found.gains["speed"] > 2.0
    assert found.wants_timing
    assert found.stands_at == 0.0


def test_the_original_itself_has_nobody_to_challenge(native, bench):
    found = checked(native, bench, SORT)
    assert found.passed, found.detail
    assert found.stands_at is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (SORT + "\n\nLIMIT = 1\n", "may not be added"),
        (SORT.replace('"""A module."""', '"""Another."""'), "may not be"),
        (SORT.replace("items: list[int]", "items: list[int], more=()"), "function sort may not be changed"),
    ],
)
def test_edits_outside_the_function_are_refused(native, bench, changed, told):
    found = checked(native, bench, changed)
    assert (found.passed, found.stage) == (False, "region")
    assert told in found.detail


def judged(native, bench, body):
    """What the gate says of a candidate beside the original."""
    source = SORT[: SORT.index("def sort")] + HEAD + body
    work = _judged(
        bench,
        bench.original,
        bench.program({bench.task.main: source}),
        native.sandbox,
        Challenge.nth("programs:test", 1, 0.05),
        "candidate-1.0-00000000",
    )
    return native.awaited(work).verdict


SLOW = SORT[SORT.index("    result = list(items)") :]


def test_a_memory_of_earlier_inputs_gains_nothing(native, bench):
    source = SORT[: SORT.index("def sort")] + HEAD + SLOW
    remembered = source.replace(
        "    result = list(items)\n",
        "    known = sort.__dict__.setdefault('known', {})\n    if tuple(items) in known:\n"
        "        return list(known[tuple(items)])\n"
        "    result = list(items)\n",
    ).replace("    return result\n", "    known[tuple(items)] = list(result)\n    return result\n")
    found = checked(native, bench, remembered)
    assert not found.passed or found.gains["speed"] < 0.3


def test_what_is_fast_on_seen_sizes_only_is_not_adopted(native, bench):
    largest = bench.task.timing_size
    verdict = judged(native, bench, f"    if 30 < len(items) <= {largest}:\n        return sorted(items)\n" + SLOW)
    assert verdict.decision is not Decision.ADOPT


def test_what_is_right_on_seen_shapes_only_is_rejected(native, bench):
    verdict = judged(native, bench, "    if not items:\n        return [0]\n    return sorted(items)\n")
    assert verdict.decision is Decision.REJECT
    assert verdict.violations


def test_an_honest_improvement_is_adopted(native, bench):
    verdict = judged(native, bench, "    return sorted(items)\n")
    assert verdict.decision is Decision.ADOPT, verdict.reasons
    assert verdict.metrics["time"].delta.upper < 0.5
