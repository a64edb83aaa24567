"""Functions shipped as source, with what they refer to and with nothing else."""

from __future__ import annotations

import functools
import heapq
import math as maths
import subprocess
import sys
from collections import Counter as Count
from dataclasses import dataclass

import pytest
from tests.guard.making import ABS, LISTS, NUMBERS, judged
from tests.support.rows import check_rows

from mendel.contracts.errors import NotShippable
from mendel.guard import Implementation, TaskSpec
from mendel.guard.shipping import source_of_callable, source_of_name

FEW = {"n": 60, "policy": "noninferiority:margin=0.05"}

LIMIT = 10
TABLE = {"base": 0}
TABLE["step"] = 1
TABLE.update(more=2)
SQUARES = []
for number in range(5):
    SQUARES.append(number * number)  # noqa: PERF401 - a loop that fills a list is what is shipped here
HEAP = [3, 1, 2]
heapq.heapify(HEAP)
calls = 0
result = "this stands at the top of the module, and must not be shipped for somebody's local variable"
xs = result


@dataclass
class Pair:
    left: int
    right: int = LIMIT


def helper(x):
    return deeper(x) + 0


def deeper(x):
    return abs(x)


def uses_helpers(x):
    return helper(x)


def uses_imports(x):
    return int(maths.fabs(x)) + Count("")["a"]


def uses_a_constant(x):
    return abs(x) + LIMIT - 10


def uses_a_changed_constant(x):
    return abs(x) + TABLE["base"] + TABLE["step"] + TABLE["more"] - 3


def uses_what_a_loop_filled(x):
    return abs(x) + SQUARES[4] - 16


def uses_what_a_function_changed(x):
    return abs(x) + HEAP[0] - 1


def uses_a_class(x: Pair | None) -> Pair:
    return abs(x) + Pair(0).right - LIMIT


def uses_a_default(x, limit=LIMIT):
    return abs(x) + limit - LIMIT


def has_a_counter(x):
    global calls  # noqa: PLW0603 - as candidates do
    calls += 1
    return abs(x)


def calls_itself(x):
    return calls_itself(-x) if x < 0 else x


def has_locals(x):
    result = abs(x)
    return next(result for xs in (1,))


def takes_xs(xs):
    return abs(xs)


def has_strange_hints(x: NoSuchThing) -> AnotherOne:  # noqa: F821
    y: YetAnother = abs(x)  # noqa: F821
    return y


SHIPPED = [
    uses_helpers,
    uses_imports,
    uses_a_constant,
    uses_a_changed_constant,
    uses_what_a_loop_filled,
    uses_what_a_function_changed,
    uses_a_class,
    uses_a_default,
    has_a_counter,
    calls_itself,
    has_locals,
    takes_xs,
    has_strange_hints,
]

no_name = lambda x: abs(x) + LIMIT - 10  # noqa: E731


@check_rows("function", SHIPPED)
def test_a_function_runs_where_nothing_else_is(function):
    report = judged(TaskSpec("task", NUMBERS), ABS, function, lint=False, **FEW)
    assert report.adopt, report.reason


def test_a_lambda_is_shipped():
    assert judged(TaskSpec("task", NUMBERS), ABS, no_name, **FEW).adopt
    assert judged(TaskSpec("task", NUMBERS), lambda x: -x if x < 0 else x, ABS, **FEW).adopt


def test_a_nested_function_without_a_closure_is_shipped():
    def nested(x):
        """It stands four columns in."""
        return helper(x)

    assert judged(TaskSpec("task", NUMBERS), ABS, nested, **FEW).adopt


def test_a_nested_function_may_hold_text_that_begins_at_the_margin():
    def nested(x):
        return (
            abs(x)
            + len("""
left
""")
            - 6
        )

    assert judged(TaskSpec("task", NUMBERS), ABS, nested, **FEW).adopt


def test_only_what_is_referred_to_is_shipped():
    text, name = source_of_callable(uses_a_constant)
    assert name == "uses_a_constant"
    assert "LIMIT = 10" in text
    for other in ("TABLE", "helper", "import", "SHIPPED", "pytest"):
        assert other not in text.replace("from __future__ import annotations", "")


@pytest.mark.parametrize("function", [has_locals, takes_xs])
def test_a_local_name_is_nothing_of_the_modules(function):
    assert "must not be shipped" not in source_of_callable(function)[0]


def test_statements_keep_the_order_of_the_module():
    text, _ = source_of_callable(uses_a_changed_constant)
    assert text.index("TABLE = ") < text.index("TABLE['step']") < text.index("TABLE.update")


# --- what cannot be shipped ----------------------------------------------------------------------------------------


def closing(factor):
    def over(x):
        return factor * x

    return over


def defaulting(factor):
    def solve(x, factor=factor):
        return factor * x

    return solve


def wrapped(function):
    @functools.wraps(function)
    def call(x):
        return function(x)

    return call


class Maker:
    def method(self, x):
        return x

    def __call__(self, x):
        return x


@wrapped
def decorated(x):
    return x


made_elsewhere = None
exec("def without_source(x):\n    return x")
globals()["summoned"] = 7


def refers_to_nothing_written(x):
    return x + summoned  # noqa: F821


@check_rows(
    ("given", "told"),
    [
        (closing(3), "over is a closure over factor"),
        (defaulting(3), "factor"),
        (abs, "abs is a builtin_function_or_method, not a function"),
        (functools.partial(helper, 3), "partial is a partial, not a function"),
        (Maker().method, r"Maker\.method is a method, not a function"),
        (Maker, "Maker is a type, not a function"),
        (Maker(), "Maker is a Maker, not a function"),
        (functools.cache(helper), "helper is a _lru_cache_wrapper, not a function"),
        (decorated, "decorated"),
        (eval("without_source"), "the source of .*without_source cannot be read"),
        (refers_to_nothing_written, "refers to summoned.* no statement of its module defines"),
    ],
)
def test_what_cannot_be_shipped_is_refused_by_name(given, told):
    with pytest.raises(NotShippable, match=told):
        Implementation.from_callable(given)


def test_of_two_lambdas_in_a_line_nobody_can_tell_which():
    pair = [lambda x: x, lambda x: -x]
    with pytest.raises(NotShippable, match="one of 2 on its line"):
        Implementation.of(pair[0])


def test_the_gate_refuses_as_well_and_before_anything_runs():
    with pytest.raises(NotShippable, match="closure over factor"):
        judged(TaskSpec("task", LISTS), closing(3), ABS)


# --- modules by their text -----------------------------------------------------------------------------------------


def test_of_a_module_only_what_defines_the_name_is_kept():
    text = "import os\nK = 3\nprint('script')\ndef f(x):\n    return x + K\nf(1)\n"
    assert source_of_name(text, "f") == "from __future__ import annotations\n\nK = 3\n\ndef f(x):\n    return x + K\n"


@pytest.mark.parametrize("text", ["def f(:", "K = 3\n"])
def test_where_it_cannot_be_told_all_of_a_module_is_kept(text):
    assert source_of_name(text, "f") == text


def test_the_body_of_a_script_is_never_run():
    text = "def f(x):\n    total = abs(x)\n    return total\n\ntotal = launch(f)\n"
    text += "if __name__ == '__main__':\n    total = 1 / 0\n"
    assert "launch" not in source_of_name(text, "f")


SCRIPT = """
from mendel.adapters.memory.sandbox import MemorySandbox
from mendel.guard import TaskSpec, generators, run

print("the script runs")
spec = TaskSpec("mine", generators.arguments(generators.integers(-9, 9)))
LIMIT = 0

def old(x):
    report = abs(x)
    return report + LIMIT

def new(x):
    spec = x if x > 0 else -x
    return spec

report = run(spec, old, new, n=60, policy="noninferiority:margin=0.05", sandbox=MemorySandbox(allow_weak=True))
print([reason.code for reason in report.verdict.reasons])
"""


def test_a_script_can_ask_about_its_own_functions(tmp_path):
    """Its top level calls the gate; if that were shipped, it would call the gate once more."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert done.stdout == "the script runs\n['weak_sandbox', 'no_mismatch']\n", done.stderr
