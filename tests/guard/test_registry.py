"""Tasks by name, by file and by module."""

import sys

import pytest
from tests.guard.making import NUMBERS

from mendel.contracts.errors import ConfigError, MendelError
from mendel.guard import TaskSpec, get_task, registry, task, task_names

FILE = """
from mendel.guard import TaskSpec, generators
ready = TaskSpec("ready", generators.arguments(generators.integers(0, 9)))
def made(): return TaskSpec("made", ready.gen_inputs)
def nothing(): return 3
def broken(): raise LookupError("no data here")
number = 3
"""


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """What a test registers is gone after it."""
    task_names()
    monkeypatch.setattr(registry, "_TASKS", dict(registry._TASKS))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_tasks.py"
    path.write_text(FILE)
    return path


def test_the_tasks_that_ship_have_names():
    assert {"top_k", "quantiles"} <= set(task_names())
    assert list(task_names()) == sorted(task_names())
    assert get_task("top_k").name == "top_k"


def test_a_decorated_function_is_a_task():
    @task("mine")
    def make():
        return TaskSpec("mine", NUMBERS)

    assert "mine" in task_names()
    assert get_task("mine").name == "mine"
    assert make().name == "mine"
    assert task("mine")(make) is make  # a module that is loaded again registers the same


def test_two_tasks_of_a_name_are_refused():
    task("mine")(lambda: TaskSpec("mine", NUMBERS))

    def other():
        return TaskSpec("mine", NUMBERS)

    with pytest.raises(ConfigError, match="task 'mine' is already registered"):
        task("mine")(other)


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ConfigError) as refused:
        get_task("topk")
    assert "known are" in str(refused.value)
    assert all(name in str(refused.value) for name in task_names())
    assert "did you mean top_k?" in str(refused.value)
    assert "FILE.py:NAME" in str(refused.value)


@pytest.mark.parametrize("name", ["ready", "made"])
def test_a_file_has_tasks_and_functions_that_make_them(file, name):
    assert get_task(f"{file}:{name}").name == name


def test_a_module_has_tasks_too(file, monkeypatch):
    monkeypatch.syspath_prepend(file.parent)
    assert get_task("my_tasks:ready").name == "ready"
    del sys.modules["my_tasks"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("absent", "has no task 'absent'; its tasks are ready"),
        ("number", "has no task 'number'; its tasks are ready"),
        ("nothing", "its function returned a int"),
        ("broken", "LookupError: no data here"),
    ],
)
def test_what_is_no_task_is_refused_with_those_that_are(file, name, told):
    with pytest.raises(MendelError, match=told):
        get_task(f"{file}:{name}")


def test_files_and_modules_that_cannot_be_loaded_are_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.py: there is no such file"):
        get_task(f"{tmp_path}/absent.py:x")
    (tmp_path / "raises.py").write_text("raise LookupError('at the top')")
    with pytest.raises(ConfigError, match=r"raises\.py cannot be loaded: LookupError: at the top"):
        get_task(f"{tmp_path}/raises.py:x")
    with pytest.raises(ConfigError, match=r"no_such_module_here cannot be loaded: ModuleNotFoundError"):
        get_task("no_such_module_here:x")
