"""What cannot be bred is refused by name, with what to do about it."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, SORT, prepared, sized, wished
from tests.support.rows import check_rows

from mendel.bench import oracle
from mendel.bench.objectives import parse_objectives, target_of
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import (
    ConfigError,
    NoInputs,
    NoSuchFunction,
    OracleUnfit,
    SourceNotPython,
    SpecFailed,
    TestsFail,
)
from mendel.domains.programs.wishes import Wish

ORACLES = {
    "raises": ("def f(n: int) -> int:\n    raise ValueError('no')\n", "raises ValueError: no .* on 100% of the inputs"),
    "never ends": ("def f(n: int) -> int:\n    while True:\n        pass\n", "does not end on 100% of the inputs"),
    "random": (
        "import random\ndef f(n: int) -> float:\n    return random.SystemRandom().random()\n",
        "is random, or remembers",
    ),
    "remembers": (
        "seen = []\ndef f(n: int) -> int:\n    seen.append(n)\n    return len(seen)\n",
        "is random, or remembers",
    ),
    "hash order": (
        "def f(t: list[str]) -> list[str]:\n    return list(set(t))\n",
        r"depends on the order of a set, or on hash\(\): called twice with .* sort what comes from the set",
    ),
    "hash order, and remembers": (
        "seen = []\ndef f(t: list[str]) -> list[str]:\n    seen.append(t)\n    return [*set(t), str(len(seen))]\n",
        "is random, or remembers",
    ),
    "reads a file": (
        "def f(n: int) -> str:\n    return open('words.txt').read()\n",
        "raises FileNotFoundError: .*shows it none of your files; pass what it reads as an argument .*--task FILE",
    ),
    "reads a file when loaded": (
        "WORDS = open('words.txt').read()\ndef f(n: int) -> int:\n    return n\n",
        "cannot be loaded: .*shows it none of your files; let the file hold what it needs",
    ),
    "asks the network": (
        "import socket\ndef f(n: int) -> int:\n    socket.create_connection(('192.0.2.1', 80))\n    return n\n",
        "which has no network.* pass what it reads as an argument",
    ),
    "looks a name up": (
        "from urllib.request import urlopen\ndef f(n: int) -> bytes:\n    return urlopen('http://example.org').read()\n",
        "raises URLError: .*which has no network; pass what it reads as an argument",
    ),
    "starts a program": (
        "import subprocess\ndef f(n: int) -> int:\n    return subprocess.run(['ls']).returncode\n",
        "raises PermissionError: .*starts no other programs",
    ),
    "changes its input": ("def f(x: list[int]) -> None:\n    x.sort()\n", "changes its input in place"),
    "hands its input back": ("def f(x: list[int]) -> list[int]:\n    return x\n", "the very object it was given"),
    "prints": ("def f(n: int) -> int:\n    print('hello', n)\n    return n\n", "prints .* let it return that instead"),
    "answers what cannot cross": ("def f(n: int):\n    return object()\n", "cannot leave the sandbox"),
    "cannot be loaded": ("import no_such_module\ndef f(n: int) -> int:\n    return n\n", "cannot be loaded"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ORACLES)
def test_an_original_that_is_no_oracle_is_refused_by_name(native, tmp_path, name):
    source, told = ORACLES[name]
    with pytest.raises(OracleUnfit, match=told):
        prepared(native, wished(tmp_path, source, "f"))


@pytest.mark.parametrize("answer", ["sorted(set(t))", "list(dict.fromkeys(t))", "set(t)"])
def test_what_is_advised_about_the_order_of_a_set_helps(native, tmp_path, answer):
    task = prepared(
        native, wished(tmp_path, f"def f(t: list[str]):\n    return {answer}\n", "f", "opcodes", task=sized(tmp_path))
    )
    assert task.seen_sizes


def test_a_file_that_does_not_parse_is_refused_with_its_line(native, tmp_path):
    with pytest.raises(SourceNotPython, match=r"subject\.py does not parse, line 2"):
        prepared(native, wished(tmp_path, "x = 1\ndef f(:\n", "f"))


def test_the_nearest_names_are_offered(native, tmp_path):
    with pytest.raises(NoSuchFunction, match="did you mean sort"):
        prepared(native, wished(tmp_path, SORT, "srot"))
    with pytest.raises(NoSuchFunction, match="no functions at all"):
        prepared(native, wished(tmp_path, "x = 1\n", "f"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Box", r"it is a class: name one of its methods, such as Box\.open"),
        ("LIMIT", "LIMIT exists, but is not a function; it has sort, Box.open"),
        ("zzz", "it has sort, Box.open$"),
        ("Box.opne", r"did you mean Box\.open\?"),
    ],
)
def test_what_is_no_function_is_told_as_what_it_is(native, tmp_path, name, told):
    source = SORT + "\n\nclass Box:\n    def open(self) -> int:\n        return 1\n\n\nLIMIT = 3\n"
    with pytest.raises(NoSuchFunction, match=told):
        prepared(native, wished(tmp_path, source, name))


def test_an_example_is_offered_with_as_many_arguments_as_there_are(native, tmp_path):
    with pytest.raises(NoInputs, match=r">>> f\(\[2, 1\], 3\)"):
        prepared(native, wished(tmp_path, "def f(a, b):\n    return a\n", "f"))


def test_a_class_that_cannot_be_made_is_told_what_would_help(native, tmp_path):
    made = "    def __init__(self, size):\n        self.size = size\n\n"
    source = f"class Box:\n{made}    def area(self, n: int) -> int:\n        return n\n"
    with pytest.raises(NoInputs, match=r"Box cannot be made without size, and is no dataclass\. Make it a dataclass"):
        prepared(native, wished(tmp_path, source, "Box.area"))


def test_what_nothing_judges_is_refused(native, tmp_path):
    task = tmp_path / "task.py"
    task.write_text("oracle = False\n")
    with pytest.raises(ConfigError, match="oracle = False there is no criterion for right answers: give properties"):
        prepared(native, wished(tmp_path, SORT, "sort", task=task))
    with pytest.raises(ConfigError, match="the objective score needs score"):
        prepared(native, wished(tmp_path, SORT, "sort", "score"))


def test_without_types_and_examples_it_is_said_what_to_add(native, tmp_path):
    with pytest.raises(NoInputs, match=r"'x' has no type hint.*>>> f\(.*--tests FILE.*task\.py"):
        prepared(native, wished(tmp_path, "def f(x):\n    return x\n", "f"))


def test_examples_in_the_docstring_are_enough(native, tmp_path):
    examples = "    >>> f([1, 2])\n    3\n    >>> f([4, 5, 6])\n    15\n"
    source = f'def f(xs):\n    """Sum.\n\n{examples}    """\n    return sum(xs)\n'
    task = prepared(native, wished(tmp_path, source, "f", "opcodes"))
    assert task.inputs is not None
    assert len(task.examples) == 2


def test_tests_that_fail_on_the_original_are_refused(native, tmp_path):
    tests = tmp_path / "test_subject.py"
    tests.write_text("from subject import sort\n\ndef test_it():\n    assert sort([2, 1]) == [2, 1]\n")
    with pytest.raises(TestsFail, match=r"1 of 1 tests fail, such as .*test_it"):
        prepared(native, wished(tmp_path, SORT, "sort", tests=(tests,)))


def test_tests_that_do_not_end_are_refused_with_what_to_do(native, tmp_path, monkeypatch):
    monkeypatch.setattr(oracle, "ORIGINAL_S", 1.0)
    tests = tmp_path / "test_subject.py"
    tests.write_text("import time\n\ndef test_it():\n    time.sleep(300)\n")
    told = r"they do not end within 1 s \(test_subject\.py\); fix them, or give --tests files without such tests"
    with pytest.raises(TestsFail, match=told):
        prepared(native, wished(tmp_path, SORT, "sort", tests=(tests,)))


def test_what_looks_like_a_secret_is_refused_before_anything_is_recorded(native, tmp_path):
    source = SORT + 'API_KEY = "sk-' + "a1B2c3D4" * 5 + '"\n'
    with pytest.raises(ConfigError, match=r"subject\.py, line \d+, holds what looks like a secret"):
        prepared(native, wished(tmp_path, source, "sort"))


def test_a_task_file_is_read_and_refused_where_it_is_wrong(native, tmp_path):
    task = tmp_path / "task.py"
    for text, kind, told in (
        ("x = 1\n", ConfigError, "defines nothing that is known"),
        ("generate = 3\n", ConfigError, "generate must be a function"),
        ("properties = [1]\n", ConfigError, "properties holds a int"),
        ("1 / 0\n", SpecFailed, "raised ZeroDivisionError"),
        ("def generate(rng, size):\n    raise KeyError('x')\n", SpecFailed, r"generate\(rng, \d+\) .* raised KeyError"),
    ):
        task.write_text(text)
        with pytest.raises(kind, match=told):
            prepared(native, wished(tmp_path, SORT, "sort", task=task))


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (
            "oracle = False\nobjective = 'score'\ndef score(output, items):\n    raise TypeError('bad answer')\n",
            r"the original sort itself falls by the task's own rules: score: it raises TypeError about an answer: bad",
        ),
        (
            "def tidy(output, items):\n    raise KeyError('x')\n\nproperties = [tidy]\n",
            r"the task's own rules: tidy: its check .*KeyError.*fix the rule",
        ),
        (
            "def longer(output, items):\n    return len(output) > len(items)\n\nproperties = [longer]\n",
            r"the task's own rules: longer: does not hold, on ",
        ),
    ],
)
def test_rules_that_the_original_does_not_bear_are_refused_by_name(native, tmp_path, rules, told):
    objective = "opcodes" if "objective" not in rules else None
    with pytest.raises(SpecFailed, match=told):
        prepared(native, wished(tmp_path, SORT, "sort", objective, task=sized(tmp_path, rules)))


def test_a_task_file_that_changed_is_not_run(native, tmp_path):
    path = sized(tmp_path, "def generate(rng, size):\n    return ([rng.randrange(99) for _ in range(size)],)\n")
    task = prepared(native, wished(tmp_path, SORT, "sort", "opcodes", task=path))
    path.write_text("raise SystemExit('another file')\n")
    with pytest.raises(ConfigError, match="has changed since the run began"):
        _ = Workbench(task, SEED).inputs


@check_rows("text", ["", "sort", "file.py:", ":sort", "file.py:a-b", "file.py:a..b"])
def test_a_target_reads_file_and_function(text):
    with pytest.raises(ConfigError, match="does not read FILE:FUNC"):
        Wish.parse(text)


@check_rows(
    ("text", "told"),
    [("sped", "no objective"), ("speed,speed", "named twice"), ("speed:x", "no number"), ("speed:-1", "positive")],
)
def test_objectives_that_cannot_be_are_refused(text, told):
    with pytest.raises(ConfigError, match=told):
        parse_objectives(text)


def test_objectives_and_targets_read_as_people_write_them(native, tmp_path):
    assert parse_objectives("speed:2, size:1") == {"speed": 2.0, "size": 1.0}
    task = prepared(native, wished(tmp_path, SORT, "sort", "size", task=sized(tmp_path)))
    assert target_of("8x", task) == 3.0
    assert target_of(None, task) is None
    with pytest.raises(ConfigError, match="requires a single objective"):
        target_of("8x", task.model_copy(update={"objectives": {"speed": 1.0, "size": 1.0}}))
