"""Marks in the user's files decide what a task lets change, in the main file and in further ones."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, checked, prepared, wished

from mendel.bench.workbench import Workbench
from mendel.contracts.errors import ConfigError

MAIN = """\
def double(n: int) -> int:
    return n + n


def total(items: list[int]) -> int:
    result = 0
    for item in items:
        result = result + double(item)
    return result
"""
FIRST = MAIN.replace("def double", "# mendel: evolve\ndef double")
HELPERS = "def used(n: int) -> int:\n    return n + n\n\n\ndef other(n: int) -> int:\n    return n - n\n"
IMPORTING = "from helpers import used\n\n\ndef total(items: list[int]) -> int:\n    return sum(map(used, items))\n"


@pytest.mark.slow
def test_only_marked_functions_may_change(native, tmp_path):
    task = prepared(native, wished(tmp_path, FIRST, "total", "opcodes"))
    assert task.roots == {"subject.py": ("double",)}
    bench = Workbench(task, SEED)
    inside = checked(native, bench, FIRST.replace("n + n", "2 * n"))
    outside = checked(native, bench, FIRST.replace("result = result + ", "result += "))
    assert (inside.passed, outside.passed, outside.stage) == (True, False, "region")


def test_marks_of_further_files_count_and_the_main_file_may_be_kept_whole(native, tmp_path):
    helpers = tmp_path / "helpers.py"
    helpers.write_text(HELPERS.replace("def other", "# mendel: keep\ndef other"))
    wish = wished(tmp_path, IMPORTING, "total", "opcodes", files=(helpers,))
    assert prepared(native, wish).roots == {"subject.py": ("total",), "helpers.py": ("used",)}
    wish = wished(tmp_path, IMPORTING.replace("def", "# mendel: keep\ndef"), "total", "opcodes", files=(helpers,))
    task = prepared(native, wish)
    assert task.editable == ("helpers.py",)
    assert set(task.files) == {"subject.py", "helpers.py"}


@pytest.mark.parametrize(
    ("source", "helpers", "told"),
    [
        (MAIN.replace("    return n + n", "    return n + n\n# mendel: end"), HELPERS, r"subject\.py, line 3: .*end"),
        (MAIN, HELPERS.replace("def other", "# mendel: evolv\ndef other"), r"helpers\.py, line 5: unknown mark"),
        (MAIN.replace("def ", "# mendel: keep\ndef "), None, r"subject\.py, line 1: the marks allow no change to"),
    ],
)
def test_wrong_marks_are_refused_before_anything_runs(native, tmp_path, source, helpers, told):
    files = ()
    if helpers is not None:
        (tmp_path / "helpers.py").write_text(helpers)
        files = (tmp_path / "helpers.py",)
    with pytest.raises(ConfigError, match=told):
        prepared(native, wished(tmp_path, source, "total", "opcodes", files=files))
