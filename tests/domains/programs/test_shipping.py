"""What travels with a function: its package, and what it imports beside itself."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, checked, prepared, sized

from mendel.bench.objectives import parse_objectives
from mendel.bench.own_files import read_source
from mendel.bench.workbench import Workbench
from mendel.breeding.code import Code
from mendel.contracts.errors import ConfigError, SourceNotPython
from mendel.domains.programs import shipping
from mendel.domains.programs.shipping import imported_beside, module_of, shipped_name
from mendel.domains.programs.wishes import Wish

TOTAL = "def total(items: list[int]) -> int:\n    result = 0\n    for item in items:\n        result += twice(item)\n    return result\n"  # noqa: E501
TWICE = "def twice(n: int) -> int:\n    return n + n\n"


def lay(folder, **files):
    """Write files; ``__`` in a name is a folder."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def package(folder, core, **more):
    lay(folder, pkg__core=core, pkg__util=TWICE, **more)
    (folder / "pkg" / "__init__.py").write_text("")
    return folder / "pkg" / "core.py"


def shipped(path):
    return set(imported_beside({path: Code(read_source(path), str(path))}))


def test_names_are_places_in_packages(tmp_path):
    path = package(tmp_path, TOTAL, pkg__sub__deep="x = 1\n", alone="x = 1\n")
    (tmp_path / "pkg" / "sub" / "__init__.py").touch()
    assert shipped_name(path) == "pkg/core.py"
    assert shipped_name(tmp_path / "pkg" / "sub" / "deep.py") == "pkg/sub/deep.py"
    assert shipped_name(tmp_path / "alone.py") == "alone.py"
    assert [module_of(name) for name in ("pkg/core.py", "pkg/__init__.py", "alone.py")] == ["pkg.core", "pkg", "alone"]
    assert {shipped_name(tmp_path / name) for name in ("json.py", "my-file.py")} == {"candidate.py"}


@pytest.mark.parametrize(
    "line",
    [
        "from pkg.util import twice",
        "from .util import twice",
        "from . import util",
        "import pkg.util",
        "import pkg.util as other",
        "def f():\n    from pkg import util",
    ],
)
def test_what_a_module_of_a_package_imports_travels_with_it(tmp_path, line):
    assert shipped(package(tmp_path, f"{line}\n{TOTAL}")) == {"pkg/__init__.py", "pkg/util.py"}


def test_what_those_import_travels_too_and_nothing_else(tmp_path):
    lay(tmp_path, core="import first\nimport json\nimport numpy\n", first="from second import x\n", second="x = 1\n",
        other="x = 2\n", json="x = 3\n")  # fmt: skip
    assert shipped(tmp_path / "core.py") == {"first.py", "second.py"}


def test_files_that_import_each_other_come_to_an_end(tmp_path):
    lay(tmp_path, core="import first\n", first="import core\nimport first\n")
    assert shipped(tmp_path / "core.py") == {"first.py"}


def test_one_beside_it_that_does_not_parse_is_refused_by_name(tmp_path):
    lay(tmp_path, core="import first\n", first="def\n")
    with pytest.raises(SourceNotPython, match=r"first\.py does not parse, line 1"):
        shipped(tmp_path / "core.py")


def test_there_is_an_end_to_how_many_travel(tmp_path, monkeypatch):
    monkeypatch.setattr(shipping, "MOST_FILES", 2)
    lay(tmp_path, core="import first\nimport second\n", first="", second="")
    with pytest.raises(ConfigError, match="more than 2 files"):
        shipped(tmp_path / "core.py")


@pytest.mark.parametrize("line", ["from pkg.util import twice", "from .util import twice"])
def test_a_function_of_a_package_can_be_bred(native, tmp_path, line):
    source = f"{line}\n\n\n{TOTAL}"
    wish = Wish(
        path=package(tmp_path, source), function="total", objectives=parse_objectives("opcodes"), task=sized(tmp_path)
    )
    task = prepared(native, wish)
    assert (task.entry, task.editable) == ("pkg.core:total", ("pkg/core.py",))
    good = source.replace("result = 0\n", "result = sum(map(twice, items))\n    return result\n")
    assert checked(native, Workbench(task, SEED), good).passed
    assert not checked(native, Workbench(task, SEED), source.replace("result = 0", "result = 1")).passed


def test_what_lies_beside_a_module_travels_and_stays_as_it_is(native, tmp_path):
    lay(tmp_path, core=f"from util import twice\n\n\n{TOTAL}", util=TWICE)
    wish = Wish(
        path=tmp_path / "core.py", function="total", objectives=parse_objectives("opcodes"), task=sized(tmp_path)
    )
    task = prepared(native, wish)
    assert (set(task.files), task.editable) == ({"core.py", "util.py"}, ("core.py",))
