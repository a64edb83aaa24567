"""The tasks that ship, and the programs that ship with them."""

from __future__ import annotations

import pickle
import runpy
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest
from tests.guard.making import native
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError
from mendel.contracts.evaluations import Case, Evaluation, Limits, Program
from mendel.contracts.plain_values import identical, spelled
from mendel.guard.inputs import draw
from mendel.guard.registry import get_task, task_names
from mendel.guard.spec import Args, TaskSpec
from mendel.guard.tasks import program, programs
from mendel.ports.lint import lint

TASKS = ("business_days", "components", "lru_cache", "quantiles", "top_k", "word_wrap")
CHEATS = [(task, name) for task in TASKS for name in programs(task) if name.startswith("cheat_")]
SEEDS = (1, 20_261_116)
SOME, FEW, MANY = 60, 300, 800

# what is drawn, and run in a sandbox, is kept for all of them
pytestmark = pytest.mark.xdist_group("tasks that ship")
each_task = check_rows("task", TASKS)
each_seed = pytest.mark.parametrize("seed", SEEDS)


@cache
def spec_of(task: str) -> TaskSpec:
    return get_task(task)


@cache
def drawn(task: str, seed: int) -> list[Args]:
    return draw(spec_of(task), MANY if seed == SEEDS[0] else FEW, seed)


def inputs_of(task: str, count: int, seed: int) -> list[Args]:
    """The first of what is drawn once for all tests: they are those of a shorter draw."""
    return drawn(task, seed)[:count]


@cache
def solver(task: str, name: str) -> Callable[..., object]:
    return runpy.run_path(str(program(task, name)))["solve"]


def copied(args: Args) -> Args:
    """A deep copy, much faster than the library's."""
    return pickle.loads(pickle.dumps(args))


def answer(task: str, name: str, args: Args) -> object:
    """In this process: only for honest programs, which leave their arguments alone."""
    return solver(task, name)(*args)


def expected(spec: TaskSpec, relation, before, after, args, transformed) -> bool:
    if relation.expect == "equal":
        return spec.equivalence(before, after)
    if relation.expect == "properties_hold":
        return all(rule.check(after, *transformed) for rule in spec.hard)
    four = relation.expect.__code__.co_argcount == 4
    return relation.expect(before, after, args, transformed) if four else relation.expect(before, after)


def held(spec: TaskSpec, solve: Callable[[Args], object], args: Args) -> list[str]:
    """The names of the properties and relations that do not hold of a program on one input."""
    before = solve(args)
    broken = [rule.description for rule in spec.properties if not rule.check(before, *args)]
    for relation in spec.relations:
        transformed = relation.transformed(args, seed=7)
        if not expected(spec, relation, before, solve(transformed), args, transformed):
            broken.append(relation.name)
    return broken


# --- what is there -------------------------------------------------------------------------------------------------


def test_the_tasks_have_their_names():
    assert set(TASKS) <= set(task_names())
    for task in TASKS:
        assert spec_of(task).name == task


@each_task
def test_a_task_says_what_it_wants(task):
    spec = spec_of(task)
    assert len(spec.hard) >= 2
    assert 2 <= len(spec.relations) <= 4
    assert any(relation.accepts_rng for relation in spec.relations) or task == "lru_cache"
    assert any(relation.expect == "properties_hold" for relation in spec.relations)
    assert any(callable(relation.expect) for relation in spec.relations)
    assert spec.valid is not None


@each_task
def test_a_task_has_its_programs(task):
    names = set(programs(task))
    assert {"baseline", "improved", "bad"} <= names
    assert sum(name.startswith("cheat_") for name in names) >= 3
    for name, path in programs(task).items():
        assert path == program(task, name)
        assert "def solve(" in path.read_text()


def test_an_unknown_program_or_task_answers_with_those_that_are_known():
    with pytest.raises(ConfigError, match="no program 'best'; known are bad, baseline, cheat_constant_max"):
        program("top_k", "best")
    with pytest.raises(ConfigError, match=r"no shipped task 'top_kk' .* business_days, components"):
        programs("top_kk")
    with pytest.raises(ConfigError, match="no shipped task"):
        programs("..")


@check_rows("name", ["baseline", "improved", "bad"])
@each_task
def test_an_honest_program_passes_the_lint(task, name):
    path = program(task, name)
    assert lint(path.read_text(), "program", path=str(path)) == ()


@each_task
def test_a_cheat_says_what_it_attempts(task):
    for name, path in programs(task).items():
        assert ('"""Attempts to ' in path.read_text()) == name.startswith("cheat_"), name


# --- the spec and its baseline --------------------------------------------------------------------------------------


@pytest.mark.slow
@each_seed
@each_task
def test_the_baseline_is_all_that_the_task_wants(task, seed):
    spec = spec_of(task)
    for args in inputs_of(task, FEW, seed):
        assert held(spec, lambda given: answer(task, "baseline", given), args) == [], spec.fmt_in(args)


@each_seed
@each_task
def test_inputs_are_valid_and_so_are_their_transforms(task, seed):
    spec = spec_of(task)
    for args in inputs_of(task, FEW, seed):
        assert spec.valid(*args)
        for relation in spec.relations:
            assert spec.valid(*relation.transformed(args, seed=3)), relation.name


@each_task
def test_transforms_leave_the_input_as_it_was(task):
    spec = spec_of(task)
    for args in inputs_of(task, FEW, 1):
        before = copied(args)
        for relation in spec.relations:
            relation.transformed(args, seed=5)
        assert identical(args, before)


@each_task
def test_a_transform_is_a_function_of_its_seed(task):
    spec = spec_of(task)
    for relation in spec.relations:
        drawn = [(relation.transformed(args, 1), relation.transformed(args, 1)) for args in inputs_of(task, 50, 1)]
        assert all(identical(first, second) for first, second in drawn)
        other = [relation.transformed(args, 2) for args in inputs_of(task, 50, 1)]
        assert relation.accepts_rng != all(identical(first, two) for (first, _), two in zip(drawn, other, strict=True))


@each_task
def test_most_transforms_change_something(task):
    for relation in spec_of(task).relations:
        changed = sum(not identical(relation.transformed(args, 1), args) for args in inputs_of(task, 100, 1))
        assert changed >= 40, relation.name


@each_task
def test_nonsense_is_not_valid(task):
    valid = spec_of(task).valid
    for nonsense in (
        (),
        (None,),
        (1, 2),
        (None, None),
        ([None], 1),
        (1, [None]),
        ("", -1),
        ([1.5], 1),
        (None, 0, []),
        ([], []),
    ):
        assert valid(*nonsense) is False, nonsense


@each_task
def test_inputs_and_outputs_can_be_shown(task):
    spec = spec_of(task)
    for args in inputs_of(task, 50, 1):
        assert isinstance(spec.fmt_in(args), str)
        assert spec.fmt_in(args)
        assert isinstance(spec.fmt_out(answer(task, "baseline", args)), str)
    assert isinstance(spec.fmt_out(None), str)


@each_task
def test_metrics_are_finite_numbers_that_vary(task):
    for metric in spec_of(task).metrics:
        values = [metric.extract(answer(task, "baseline", args), args) for args in inputs_of(task, 100, 1)]
        assert all(type(value) is float and abs(value) < 1e15 for value in values)
        assert len(set(values)) > 5


@each_task
def test_inputs_differ_in_size_and_are_seldom_the_same(task):
    spellings = Counter(spelled(args) for args in inputs_of(task, FEW, 1))
    assert len(spellings) > 0.8 * FEW
    assert len({len(spelling) for spelling in spellings}) > 50


# --- the programs ---------------------------------------------------------------------------------------------------


@each_task
def test_the_improvement_answers_as_the_baseline_does(task):
    spec = spec_of(task)
    for args in inputs_of(task, MANY, 1):
        assert spec.equivalence(answer(task, "improved", args), answer(task, "baseline", args)), spec.fmt_in(args)


@check_rows("name", ["baseline", "improved", "bad"])
@each_task
def test_an_honest_program_does_not_change_its_arguments(task, name):
    for args in inputs_of(task, FEW, 1):
        given = copied(args)
        solver(task, name)(*given)
        assert identical(given, args)


@each_seed
@each_task
def test_the_mistake_shows(task, seed):
    spec = spec_of(task)
    wrong = [
        not spec.equivalence(answer(task, "bad", args), answer(task, "baseline", args))
        for args in inputs_of(task, FEW, seed)
    ]
    assert sum(wrong) >= 4, "it would slip through"
    assert sum(wrong) <= 0.9 * FEW, "it is not subtle"


@each_seed
def test_the_largest_number_many_times_is_wrong_but_breaks_no_property_and_no_relation(seed):
    """So the comparison with the baseline is what finds it."""
    spec = spec_of("top_k")
    wrong = 0
    for args in inputs_of("top_k", FEW, seed):
        assert held(spec, lambda given: answer("top_k", "cheat_constant_max", given), args) == []
        wrong += answer("top_k", "cheat_constant_max", args) != answer("top_k", "baseline", args)
    assert wrong > FEW / 4


def test_some_mistakes_break_properties_and_some_only_relations():
    """Neither is there for show."""
    spec = spec_of("word_wrap")
    assert "no line has room for the next one's first word" in broken_by_bad(spec)
    spec = spec_of("quantiles")
    assert broken_by_bad(spec) == {"mirrored"}


def broken_by_bad(spec: TaskSpec) -> set[str]:
    def solve(args: Args) -> object:
        return answer(spec.name, "bad", args)

    return {name for args in inputs_of(spec.name, FEW, 1) for name in held(spec, solve, args)}


# --- the cheats, where alone they may run -----------------------------------------------------------------------------


@cache
def ran(task: str, *, recheck: float = 0.0) -> dict[str, Evaluation]:
    """Every program of a task on its first inputs, one after the other."""
    cases = [Case(args) for args in inputs_of(task, SOME, 1)]
    limits = Limits(case_s=0.25, batch_s=20)

    async def evaluated() -> dict[str, Evaluation]:
        return {
            name: await native().sandbox.evaluate(
                Program.of(path.read_text(), "solve"), cases, limits=limits, recheck=recheck, entropy=Entropy(1)
            )
            for name, path in programs(task).items()
            if name in ("improved", "cheat_cached_by_length", "cheat_leftover_state") or not recheck
        }

    return native().awaited(evaluated())


def right(task: str, name: str) -> list[bool]:
    spec = spec_of(task)
    answers = [answer(task, "baseline", args) for args in inputs_of(task, SOME, 1)]
    return [
        outcome.succeeded and spec.equivalence(outcome.value, wanted)
        for outcome, wanted in zip(ran(task)[name].outcomes, answers, strict=True)
    ]


@pytest.mark.slow
@check_rows(("task", "name"), CHEATS)
def test_a_cheat_is_wrong_in_the_sandbox_even_where_nobody_read_its_text(task, name):
    assert not all(right(task, name))


@check_rows("name", ["baseline", "improved"])
@each_task
def test_an_honest_program_is_right_in_the_sandbox(task, name):
    assert all(right(task, name))


@pytest.mark.parametrize(
    ("task", "name"), [("quantiles", "cheat_cached_by_length"), ("lru_cache", "cheat_leftover_state")]
)
def test_state_between_calls_is_seen_as_such(task, name):
    evaluations = ran(task, recheck=1.0)
    assert evaluations[name].stateful
    assert evaluations["improved"].stateful is False
