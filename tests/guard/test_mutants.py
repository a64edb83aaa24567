"""What ``benchmarks guard_power`` measures the gate with: mutants, rewrites, and inputs full of edges."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from functools import cache

from benchmarks.guard_power_inputs import edge_inputs
from benchmarks.mutants import OPERATORS, Mutant, mutants, replaced
from benchmarks.rewrites import RULES, WHOLE, Rewrite, rewrites
from tests.support.rows import check_rows

from mendel.guard.inputs import draw
from mendel.guard.registry import get_task
from mendel.guard.tasks import program

TASKS = ("business_days", "components", "lru_cache", "quantiles", "top_k", "word_wrap")
SMALL = '''"""Words for a reader."""

def solve(x, y=3):
    """More of them."""
    if x < y and x != 0:
        x += 1
    return x
'''

each_task = check_rows("task", TASKS)


def made(source: str, operator: str) -> set[str]:
    return {mutant.source for mutant in mutants(source) if mutant.operator == operator}


def baseline(task: str) -> str:
    return program(task, "baseline").read_text()


@cache
def mutants_of(task: str) -> list[Mutant]:
    return mutants(baseline(task))


@cache
def rewrites_of(task: str) -> list[Rewrite]:
    return rewrites(baseline(task))


def solver(source: str) -> Callable[..., object]:
    """In this process: only for baselines and their rewrites, which are ours."""
    names: dict[str, object] = {}
    exec(compile(source, "rewrite", "exec"), names)
    return names["solve"]  # type: ignore[return-value]


def line(text: str, number: int) -> str:
    return text.splitlines()[number - 1].strip()


class TestMutants:
    @each_task
    def test_each_compiles_is_another_text_and_is_there_once(self, task):
        found = [mutant.source for mutant in mutants_of(task)]
        assert len(found) >= 30
        assert len(set(found)) == len(found)
        assert ast.unparse(ast.parse(baseline(task))) + "\n" not in found
        for source in found:
            compile(source, task, "exec")

    def test_every_operator_finds_something_in_some_baseline(self):
        found = {mutant.operator for task in TASKS for mutant in mutants_of(task)}
        assert found == set(OPERATORS)

    def test_comparisons_become_every_other(self):
        conditions = {line(text, 5) for text in made(SMALL, "comparison")}
        assert "if x <= y and x != 0:" in conditions
        assert "if x < y and x == 0:" in conditions
        assert len(conditions) == 10

    def test_statements_are_left_out(self):
        assert any(line(text, 6) == "pass" for text in made(SMALL, "statement deleted"))

    def test_defaults_are_constants_too(self):
        assert {line(text, 3) for text in made(SMALL, "constant")} >= {"def solve(x, y=4):", "def solve(x, y=2):"}

    def test_what_only_a_reader_sees_is_left_alone(self):
        assert all('"""Words for a reader."""' in mutant.source for mutant in mutants(SMALL))
        assert all('"""More of them."""' in mutant.source for mutant in mutants(SMALL))

    def test_the_tree_is_not_changed(self):
        tree = ast.parse(SMALL)
        before = ast.dump(tree)
        compared = next(node for node in ast.walk(tree) if isinstance(node, ast.Compare))
        assert "if True and x != 0" in replaced(tree, compared, ast.Constant(True))
        assert ast.dump(tree) == before


class TestRewrites:
    @each_task
    def test_there_are_enough_and_each_once(self, task):
        found = [rewrite.source for rewrite in rewrites_of(task)]
        assert len(found) >= 15
        assert len(set(found)) == len(found)

    @each_task
    def test_each_answers_as_the_baseline_does(self, task):
        spec = get_task(task)
        inputs = [*draw(spec, 10, 3), *edge_inputs(spec, 60, 3)]
        inputs = [args for args in inputs if len(repr(args)) < 3_000]
        expected = [solver(baseline(task))(*copy.deepcopy(args)) for args in inputs]
        for rewrite in rewrites_of(task):
            solve = solver(rewrite.source)
            answers = [solve(*copy.deepcopy(args)) for args in inputs]
            assert all(map(spec.equivalence, answers, expected)), (rewrite.rule, rewrite.source)

    def test_every_rule_finds_something_in_some_baseline(self):
        found = {rewrite.rule for task in TASKS for rewrite in rewrites_of(task)}
        assert found == {*RULES, *WHOLE, "everything"}


class TestEdgeInputs:
    @each_task
    def test_they_are_valid_and_the_same_again(self, task):
        spec = get_task(task)
        found = edge_inputs(spec, 300, 1)
        assert all(spec.valid(*args) for args in found)
        assert found == edge_inputs(spec, 300, 1) != edge_inputs(spec, 300, 2)
