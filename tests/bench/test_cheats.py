"""Candidates that seem to be better: each is found out before it is adopted, by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.domains.programs.making import SEED, SORT, StatedClock, checked, prepared, sized, wished
from tests.support.rows import check_rows

from mendel.bench.challenging import Claim, _judged
from mendel.bench.workbench import Workbench
from mendel.contracts.verdicts import Challenge, Decision
from mendel.guard.spec import Metric

pytestmark = pytest.mark.xdist_group("cheats")

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
    folder = tmp_path_factory.mktemp("cheats")
    task = prepared(native, wished(folder, SORT, "sort", task=sized(folder)))
    return Workbench(task, SEED)


@pytest.fixture(scope="module")
def counted(bench):
    """The same task where opcodes are what counts."""
    return Workbench(bench.task.model_copy(update={"objectives": {"opcodes": 1.0}}), SEED)


@pytest.mark.slow
@check_rows("name", FALLS)
def test_a_cheat_falls_by_name(native, bench, name):
    body, stage = FALLS[name]
    found = checked(native, bench, SORT[: SORT.index("def sort")] + HEAD + body)
    assert not found.passed
    assert stage is None or found.stage == stage, (found.stage, found.detail)
    assert found.detail


def test_an_honest_improvement_passes_with_its_gain(native, bench, counted):
    better = SORT[: SORT.index("def sort")] + HEAD + "    return sorted(items)\n"
    found = checked(native, bench, better)
    assert found.passed, found.detail
    assert found.wants_timing
    assert found.stands_at == 0.0
    assert checked(native, counted, better).gains["opcodes"] > 2.0


def test_the_original_itself_has_nobody_to_challenge(native, bench):
    found = checked(native, bench, SORT)
    assert found.passed, found.detail
    assert found.stands_at is None


@check_rows(
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


def judged(native, bench, body, quick):
    """What the gate says of a candidate beside a champion that takes the square of the length, as both are said to.

    ``quick`` are the lengths for which the candidate takes no more than these.
    """
    head = SORT[: SORT.index("def sort")] + HEAD
    champion = bench.program({bench.task.main: head + "    return sorted(list(items))\n"})
    program = bench.program({bench.task.main: head + body})

    def cost(timed, args):
        length = len(args[0])
        return 1e-4 * (length if timed == program and quick(length) else length * length)

    return native.awaited(
        _judged(
            bench,
            Claim(
                champion,
                program,
                StatedClock(native.sandbox, cost),
                Challenge.nth("programs:test", 1, 0.05),
                "candidate-1.0-00000000",
            ),
        )
    ).verdict


SLOW = SORT[SORT.index("    result = list(items)") :]


def test_a_memory_of_earlier_inputs_gains_nothing(native, counted):
    source = SORT[: SORT.index("def sort")] + HEAD + SLOW
    remembered = source.replace(
        "    result = list(items)\n",
        "    known = sort.__dict__.setdefault('known', {})\n    if tuple(items) in known:\n"
        "        return list(known[tuple(items)])\n"
        "    result = list(items)\n",
    ).replace("    return result\n", "    known[tuple(items)] = list(result)\n    return result\n")
    found = checked(native, counted, remembered)
    assert not found.passed or found.gains["opcodes"] < 0.3


@pytest.mark.slow
def test_what_is_fast_on_seen_sizes_only_is_not_adopted(native, bench):
    sized = Workbench(bench.task.model_copy(update={"timing_size": 256, "held_sizes": (2_048,)}), SEED)
    seen = judged(native, sized, "    return sorted(items)\n", lambda length: 30 < length <= 256)
    assert seen.decision is not Decision.ADOPT
    assert judged(native, sized, "    return sorted(items)\n", lambda length: length > 256).decision is Decision.ADOPT


def test_what_is_right_on_seen_shapes_only_is_rejected(native, bench):
    verdict = judged(native, bench, "    if not items:\n        return [0]\n    return sorted(items)\n", lambda _: True)
    assert verdict.decision is Decision.REJECT
    assert verdict.violations


LARGE_ONLY = {
    "equal": "len(made) > 60 and made[0] == made[-1]",
    "sorted": "len(made) > 60 and made == list(items)",
    "reversed": "len(made) > 60 and made[::-1] == list(items)",
}


@pytest.mark.breeding
@pytest.mark.parametrize("shape", LARGE_ONLY)
def test_what_is_wrong_on_large_inputs_of_one_shape_only_is_rejected(native, bench, shape):
    body = f"    made = sorted(items)\n    return made[:-1] if {LARGE_ONLY[shape]} else made\n"
    assert shape in bench.task.large_shapes
    verdict = judged(native, bench, body, lambda _: True)
    assert verdict.decision is Decision.REJECT, verdict.reasons


def test_an_honest_improvement_is_adopted(native, bench):
    verdict = judged(native, bench, "    return sorted(items)\n", lambda _: True)
    assert verdict.decision is Decision.ADOPT, verdict.reasons
    assert verdict.metrics["time"].delta.upper < 0.5


def test_the_gate_compares_the_metrics_of_the_user_too(native, bench):
    own = Workbench(bench.task, SEED)
    length = Metric("length", lambda output, _args: float(len(output)))
    own.__dict__["rules"] = replace(bench.rules, metrics=(length,))
    verdict = judged(native, own, "    return sorted(items)\n", lambda _: True)
    assert set(verdict.metrics) == {"time", "length"}
