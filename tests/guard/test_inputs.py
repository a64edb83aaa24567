"""Inputs of a task from functions, generators, strategies and type hints."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, configuration, given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.contracts.plain_values import identical
from mendel.guard.generators import arguments, integers, lists
from mendel.guard.inputs import draw, from_hints
from mendel.guard.spec import Args, TaskSpec

SIZED = arguments(lists(integers(0, 9), 30), integers(0, 9))
STRATEGY = st.tuples(st.lists(st.integers()), st.text(), st.floats())
SOURCES = {
    "function": lambda n, seed: ((index * seed, n > 0) for index in range(n)),
    "generator": SIZED,
    "strategy": STRATEGY,
    "small strategy": st.booleans(),
}

each_source = check_rows("source", SOURCES.values())


def inputs(source: object, n: int, seed: int = 1) -> list[Args]:
    return draw(TaskSpec("paint", source), n, seed)


# --- of every source ------------------------------------------------------------------------------------------------


@each_source
@check_rows("n", [0, 7, 130])
def test_as_many_as_asked_for_and_each_a_tuple(source, n):
    found = inputs(source, n)
    assert len(found) == n
    assert all(isinstance(args, tuple) for args in found)


@each_source
def test_the_same_seed_draws_the_same_and_the_first_of_many_are_those_of_few(source):
    many = inputs(source, 230, 9)
    assert identical(many, inputs(source, 230, 9))
    assert identical(many[:110], inputs(source, 110, 9))
    assert not identical(many[:90], inputs(source, 90, 10))


@settings(max_examples=25, deadline=None)
@given(st.integers(-(2**80), 2**80), st.integers(0, 60), st.integers(0, 60))
def test_prefixes_are_stable_for_every_seed(seed, few, more):
    assert identical(inputs(SIZED, few + more, seed)[:few], inputs(SIZED, few, seed))


@check_rows("value", [3, [1, 2], "text", None, {"a": 1}])
def test_what_is_no_tuple_is_the_only_argument(value):
    assert inputs(lambda n, seed: [value] * n, 2) == [(value,), (value,)]
    assert inputs(st.just(value), 2) == [(value,), (value,)]


# --- functions ------------------------------------------------------------------------------------------------------


def test_a_function_is_handed_the_number_and_the_seed():
    assert inputs(lambda n, seed: [(n, seed)] * n, 2, 7) == [(2, 7), (2, 7)]


def test_of_too_many_inputs_the_first_are_taken():
    def endless(n, seed):
        while True:
            seed += 1
            yield seed

    assert inputs(endless, 3, 0) == [(1,), (2,), (3,)]


def raising(n, seed):
    raise KeyError("no colour")


def raising_late(n, seed):
    yield (1,)
    raise KeyError("no colour")


def raising_ours(n, seed):
    raise ConfigError("no such brush")


def without_seed(n):
    return [n]


@check_rows(
    ("function", "message"),
    [
        (raising, r"the inputs of task 'paint' cannot be drawn: its generator raised KeyError: 'no colour'"),
        (raising_late, r"task 'paint' cannot be drawn: its generator raised KeyError: 'no colour'"),
        (raising_ours, r"task 'paint' cannot be drawn: no such brush"),
        (without_seed, r"task 'paint' cannot be drawn: its generator raised TypeError: .*positional"),
        (lambda n, seed: None, r"task 'paint' .* returned a NoneType instead of inputs; return a list"),
        (lambda n, seed: 7, r"returned a int instead of inputs"),
        (lambda n, seed: [1, 2, 3], r"task 'paint' returned 3 of 400 inputs; let it return as many"),
        (lambda n, seed: [], r"returned 0 of 400 inputs"),
        (17, r"task 'paint' .* a int is neither a function of \(n, seed\), nor a generator"),
        (None, r"a NoneType is neither"),
        (lists(integers(0, 1), 9, 5, unique=True), r"task 'paint' .* only 2 different values came up"),
        (integers(0, 9).map(lambda number: 1 // number), r"task 'paint' .* raised ZeroDivisionError"),
        (integers(0, 9).filter(lambda number: number > 9), r"task 'paint' .* a filter refused 1,000 values in a row"),
        (st.integers().map(lambda number: 1 // number), r"task 'paint' .* raised ZeroDivisionError"),
        (st.nothing(), r"task 'paint' cannot be drawn"),
        (st.integers().filter(lambda number: False), r"task 'paint' cannot be drawn"),
    ],
)
def test_a_generator_that_is_broken_is_named(function, message):
    with pytest.raises(SpecFailed, match=message):
        inputs(function, 400)


def test_an_interrupt_is_not_the_tasks_mistake():
    def interrupted(n, seed):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        inputs(interrupted, 1)


# --- Hypothesis -----------------------------------------------------------------------------------------------------


def test_a_strategy_draws_different_inputs_with_edges():
    found = [args[0] for args in inputs(st.lists(st.integers(-1000, 1000)), 200)]
    assert len({tuple(items) for items in found}) > 100
    assert [] in found
    assert any(len(items) > 10 for items in found)


def test_no_place_is_for_simple_inputs_only():
    firsts = [inputs(st.integers(0, 10**6), 1, seed)[0][0] for seed in range(12)]
    assert len(set(firsts)) > 6


def test_a_small_space_repeats_itself():
    found = inputs(st.booleans(), 200)
    assert 60 < found.count((True,)) < 140


def test_a_strategy_prints_nothing_and_warns_of_nothing(capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        inputs(STRATEGY, 150)
    assert capfd.readouterr() == ("", "")


@given(st.integers(0, 100))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.nested_given])
def test_a_strategy_can_be_drawn_from_within_a_test_of_hypothesis(seed):
    assert len(inputs(st.integers(), 20, seed)) == 20


def test_hypothesis_is_left_as_it_was():
    """Whoever tests with Hypothesis beside the gate keeps the home, and the constants, they had."""
    from hypothesis.internal.conjecture import providers

    before = configuration.storage_directory("x").path, getattr(providers, "_get_local_constants", None)
    inputs(STRATEGY, 20)
    with pytest.raises(SpecFailed):
        inputs(st.integers().map(lambda number: 1 // 0), 20)
    assert before == (configuration.storage_directory("x").path, getattr(providers, "_get_local_constants", None))


SCRIPT = """
import sys
from hashlib import sha256
from pathlib import Path
import constants
from hypothesis import strategies as st
from mendel.guard.inputs import draw, from_hints
from mendel.guard.spec import TaskSpec

def paint(a: list[int], b: str, c: float): ...

inputs = draw(TaskSpec("paint", from_hints(paint)), 120, 4)
assert not Path(".hypothesis").exists(), sorted(Path(".hypothesis").rglob("*"))
print(sha256(repr(inputs).encode()).hexdigest())
"""


def told(script: str, folder: Path) -> str:
    command = [sys.executable, "-W", "error", "-c", script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def test_other_processes_draw_the_same_and_leave_no_folder(tmp_path):
    """Whatever modules are loaded there: constants in them, which Hypothesis likes to try, are not looked at."""
    (tmp_path / "constants.py").write_text("BRUSHES = [123456789, 987654321, 'turpentine', 0.123456]\n" * 50)

    def paint(a: list[int], b: str, c: float): ...

    here = sha256(repr(draw(TaskSpec("paint", from_hints(paint)), 120, 4)).encode()).hexdigest()
    assert told(SCRIPT, tmp_path) == here
    assert not (tmp_path / ".hypothesis").exists()


def test_hypothesis_is_not_imported_for_tasks_that_do_without(tmp_path):
    script = (
        "import sys\nfrom mendel.guard.inputs import draw\nfrom mendel.guard.registry import get_task\n"
        "draw(get_task('top_k'), 3, 1)\nprint('hypothesis' in sys.modules)"
    )
    assert told(script, tmp_path) == "False"


# --- type hints -----------------------------------------------------------------------------------------------------


def painted(colours: list[int], title: str, ratio: float = 1.0, *rest: int, glossy: bool = False) -> None: ...


def test_inputs_are_made_from_type_hints():
    found = inputs(from_hints(painted), 100)
    assert all(len(args) == 3 for args in found)
    for colours, title, ratio in found:
        assert isinstance(colours, list)
        assert all(isinstance(colour, int) for colour in colours)
        assert isinstance(title, str)
        assert isinstance(ratio, float)
    assert len({title for _, title, _ in found}) > 20


def test_a_function_without_parameters_has_empty_inputs():
    assert inputs(from_hints(lambda: 1), 3) == [(), (), ()]


def no_hint(colours: list[int], k) -> None: ...


def unknown_type(colours: Paint) -> None: ...  # noqa: F821


def by_keyword(*, colours: int) -> None: ...


def no_inputs(colours: Callable[[int], NoSuch]) -> None: ...  # noqa: F821


class Opaque:
    def __init__(self, thing) -> None: ...


def opaque(thing: Opaque) -> None: ...


@check_rows(
    ("function", "message"),
    [
        (no_hint, "parameter 'k' of no_hint has no type hint to generate inputs from; add one, such as k: "),
        (unknown_type, "the type hints of unknown_type cannot be read: name 'Paint' is not defined"),
        (no_inputs, "the type hints of no_inputs cannot be read"),
        (max, "the type hints of max cannot be read"),
        (by_keyword, "parameter 'colours' of by_keyword is keyword-only"),
        (opaque, "no inputs can be generated for parameter 'thing' of opaque"),
    ],
)
def test_hints_that_nothing_can_be_made_from_are_named(function, message):
    with pytest.raises(ConfigError, match=message):
        from_hints(function)
