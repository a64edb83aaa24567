"""Values of a task that are of the wrong kind are refused with where they stand and what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from mendel.bench.own_files import spec_file
from mendel.bench.records import SpecName, SpecTable
from mendel.bench.spec_file import OwnRules, rules_of
from mendel.contracts.errors import ConfigError, SpecFailed

SIZES = r"whole numbers from 0 to 10000000"
HELD = r"whole numbers from 1 to 10000000"


def ruled(folder: Path, text: str) -> OwnRules:
    """The rules of a ``task.py`` that holds ``text``."""
    path = folder / "task.py"
    path.write_text(text)
    return rules_of(spec_file(path))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("examples = 5", r"examples is 5; expected a list of arguments, such as \[.*\]"),
        ("def examples(): pass", "examples is a function; expected a list of arguments"),
        ("examples = {'a': 1}", r"examples is \{'a': 1\}; expected a list of arguments"),
        ("examples = [([print],)]", "examples holds a builtin_function_or_method; inputs are plain data"),
        ("x = []\nx.append(x)\nexamples = [x]", "examples holds something that contains itself"),
        ("sizes = 'abc'", f"sizes is 'abc'; expected .*{SIZES}"),
        ("sizes = 5", f"sizes is 5; expected .*{SIZES}"),
        ("sizes = []", r"sizes is \[\]; expected a list of one or more"),
        ("sizes = [True]", r"sizes is \[True\]; expected"),
        ("sizes = [-1]", r"sizes is \[-1\]; expected"),
        ("sizes = [2.5]", r"sizes is \[2\.5\]; expected"),
        ("sizes = list(range(1_000)) + ['x']", r"sizes is \[0, 1, .*…; expected"),
        ("held_sizes = []", rf"held_sizes is \[\]; expected a list of one or more {HELD}"),
        ("held_sizes = [0]", rf"held_sizes is \[0\]; expected .*{HELD}"),
        ("held_sizes = [10**9]", rf"held_sizes is \[1000000000\]; expected .*{HELD}"),
        ("timing_size = 0", "timing_size is 0; expected a whole number from 1 to 10000000"),
        ("timing_size = 'big'", "timing_size is 'big'; expected a whole number"),
        ("timing_size = object", "timing_size is a type; expected a whole number"),
        ("properties = 'x'", "properties holds a str, not a Property; expected a list of functions or of these"),
        ("relations = 3", "relations holds a int, not a MetamorphicRelation"),
        ("metrics = {}", "metrics holds a dict, not a Metric"),
        ("packages = 'numpy'", r"packages is 'numpy'; expected a list of lower-case names .* \[\"numpy\"\]"),
        ("packages = [1]", r"packages is \[1\]; expected a list of lower-case names"),
        ("packages = ['a b']", r"packages is \['a b'\]; expected a list of lower-case names"),
        ("oracle = 'no'", "oracle is 'no'; expected True or False"),
        ("objective = 3", "objective is 3; expected a text, such as"),
        ("objective = 'sped'", "objective is invalid: .*speed"),
        ("equivalence = 1", "equivalence must be a function, not a int"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_with_file_name_and_what_is_expected(tmp_path, line, told):
    with pytest.raises(ConfigError, match=rf"task\.py: {told}"):
        ruled(tmp_path, f"{line}\n")


def test_values_of_the_right_kind_are_taken(tmp_path):
    text = (
        "def check(output, items): return True\nproperties = check\nexamples = [[1], ([2], 3)]\nsizes = [0, 4]\n"
        "held_sizes = (9,)\ntiming_size = 7\npackages = ['numpy']\noracle = False\nobjective = 'size'\n"
    )
    rules = ruled(tmp_path, text)
    assert [each.description for each in rules.properties] == ["check"]
    assert rules.examples == (([1],), ([2], 3))
    assert (rules.sizes, rules.held_sizes, rules.timing_size) == ((0, 4), (9,), 7)
    assert (rules.packages, rules.oracle, rules.objective) == (("numpy",), False, "size")


def test_of_a_table_the_file_and_the_name_are_told(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text("def make(): pass\n")
    table = SpecTable(rules={"examples": (SpecName(file=spec_file(path), name="make"),)})
    told = r"\[evolve\.task\]: examples is a function; expected a list of arguments.* \(.*rules\.py:make\)"
    with pytest.raises(ConfigError, match=told):
        rules_of(table)


def test_of_a_task_file_beneath_a_table_that_file_is_told(tmp_path):
    path = tmp_path / "task.py"
    path.write_text("timing_size = 0\nsizes = 5\n")
    with pytest.raises(ConfigError, match=r"\[evolve\.task\]: timing_size is 0; .* \(.*task\.py\)"):
        rules_of(SpecTable(task=spec_file(path), sizes=(3,)))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("(print,)", "made a builtin_function_or_method; inputs are plain data"),
        ("([[object()]],)", "made a object; inputs are plain data"),
        ("iter([1])", "made a list_iterator; inputs are plain data"),
        ("exit(0)", "raised SystemExit: 0"),
    ],
)
def test_a_generator_that_makes_no_plain_data_is_refused_by_name(tmp_path, made, told):
    rules = ruled(tmp_path, f"from sys import exit\ndef generate(rng, size):\n    return {made}\n")
    with pytest.raises(SpecFailed, match=rf"generate\(rng, 5\) of the task {told}"):
        rules.made(5, 1)


def test_a_task_file_cannot_end_the_process(tmp_path):
    with pytest.raises(SpecFailed, match=r"task\.py raised SystemExit: 0"):
        ruled(tmp_path, "import sys\nsizes = [3]\nsys.exit(0)\n")
