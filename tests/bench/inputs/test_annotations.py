"""Types are read from the text: what they mean, and what is said where they mean nothing."""

from __future__ import annotations

import pytest
from tests.bench.inputs.making import HEAD, PLANS, plan_of
from tests.support.rows import check_rows

from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.signatures import plan_from_annotations
from mendel.breeding.code import Code
from mendel.contracts.errors import NoInputs, NoSuchFunction
from mendel.contracts.evaluations import Shape


def kind(annotation: str, head: str = HEAD):
    code = Code(f"{head}\ndef f(x: {annotation}): ...\n")
    return plan_from_annotations(code, "f").parameters[0].of.model_dump(exclude_defaults=True)


def refusal(source: str, name: str = "f") -> str:
    with pytest.raises(NoInputs) as caught:
        plan_from_annotations(Code(source), name)
    return str(caught.value)


def full(annotation: str):
    code = Code(f"{HEAD}\ndef f(x: {annotation}): ...\n")
    return plan_from_annotations(code, "f").parameters[0].of


@check_rows(
    ("left", "right"),
    [
        ("list[int]", "'list[int]'"),
        ("list[int]", "t.List[int]"),
        ("list[int]", "Sequence['int']"),
        ("list[int]", "Iterable[int]"),
        ("list[int]", "list[Id]"),
        ("list[int]", "list[T]"),
        ("list[float]", "Vector"),
        ("int | None", "Optional[int]"),
        ("int | None", "Union[int, None]"),
        ("int | None", "None | Union[int, None]"),
        ("int | str", "Union[int, str, int]"),
        ("tuple[int, ...]", "t.Tuple[int, ...]"),
        ("dict[str, int]", "Mapping[str, int]"),
        ("int", "Annotated[int, 'anything']"),
        ("date", "datetime.date"),
        ("set[int]", "t.AbstractSet[int]"),
    ],
)
def test_the_same_type_in_other_words(left, right):
    assert options(full(left)) == options(full(right))


def options(kind):
    """The kinds of a union in any order, or the one kind."""
    return sorted(getattr(kind, "options", (kind,)), key=repr)


@check_rows(
    ("annotation", "told"),
    [
        ("Annotated[int, Ge(3), Lt(9)]", {"low": 3, "high": 8}),
        ("Annotated[int, Field(ge=-1)]", {"low": -1}),
        ("Annotated[str, MinLen(2)]", {"least": 2}),
        ("Literal['a', -1, None, b'x']", {"values": ("a", -1, None, {"$bytes": "eA=="})}),
        ("tuple[()]", {"items": ()}),
        ("np.ndarray[tuple[int, int], np.dtype[np.int64]]", {"dtype": "int64", "dimensions": 2}),
    ],
)
def test_what_a_type_says_beyond_its_name(annotation, told):
    assert kind(annotation) == told


def test_dictionaries_that_can_be_graphs_are():
    assert full("dict[str, dict[str, int]]").graph
    assert full("dict[int, list[int]]").graph
    assert full("dict[str, list[tuple[str, float]]]").graph
    assert not full("dict[str, list[int]]").graph
    assert not full("dict[str, dict[int, str]]").graph


def test_a_dataclass_is_declared_to_the_sandbox():
    assert PLANS["points"].shapes == (Shape("Point", ("x", "y")),)
    assert PLANS["ints"].shapes == ()
    inherited = Code(
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\n@dataclasses.dataclass(frozen=True)\n"
        "class B(A):\n    y: str\n    n: ClassVar[int] = 3\ndef f(b: B): ...\n"
    )
    assert plan_from_annotations(inherited, "f").shapes == (Shape("B", ("x", "y")),)


def test_functional_and_partial_typed_dictionaries():
    head = HEAD + "P = TypedDict('P', {'x': int})\nclass Q(TypedDict, total=False):\n    a: int\n"
    assert kind("P", head)["fields"] == ({"name": "x", "of": {}},)
    assert kind("Q", head)["fields"][0]["required"] is False


@check_rows(
    ("source", "told"),
    [
        ("def f(items): ...", "parameter 'items' has no type hint"),
        ("def f(items: list): ...", "parameter 'items' is list without the type of its items; write list[int], say"),
        ("def f(m: dict): ...", "write dict[str, int], say"),
        ("from typing import Any\ndef f(x: list[Any]): ...", "is Any, which says nothing about its values"),
        ("from collections import deque\ndef f(x: deque[int]): ...", "is deque, which cannot cross into the sandbox"),
        ("from fractions import Fraction\ndef f(x: Fraction): ...", "is Fraction, which cannot cross"),
        ("def f(x: Unknown): ...", "is Unknown, a type for which no input can be made"),
        ("import foo\ndef f(x: foo.Bar): ...", "is foo.Bar, a type for which no input can be made"),
        ("def f(x: 'not a type['): ...", "which is not a type"),
        ("def f(x: 3): ...", "is 3, which is not a type"),
        ("def f(x: set[list[int]]): ...", "has keys of list[int], which cannot be hashed"),
        ("def f(x: dict[list[int], int]): ...", "cannot be hashed"),
        ("import enum\nclass C(enum.Enum):\n    A = 1\ndef f(c: C): ...", "is C, an Enum, which cannot cross"),
        ("from typing import NamedTuple\nclass C(NamedTuple):\n    a: int\ndef f(c: C): ...", "is C, a NamedTuple"),
        ("class C: ...\ndef f(c: C): ...", "is C, not a dataclass"),
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n    a: C\ndef f(c: C): ...",
            "is C, whose a is C, which refers to itself",
        ),
        ("X = list['X']\ndef f(x: X): ...", "is X, which refers to itself"),
        ("def f(*, key: int): ...", "parameter 'key' can be given by keyword only"),
        ("from typing import Literal\ndef f(x: Literal[A.B]): ...", "allows the value A.B, which is not plain data"),
    ],
)
def test_what_has_no_usable_type_is_named_and_all_help_is_offered(source, told):
    message = refusal(source)
    assert told in message
    assert "list[int]`" in message
    assert "`>>> f([2, 1])`" in message
    assert "`--tests FILE` with calls of f" in message
    assert "task.py with a generator" in message


@check_rows(
    "annotation",
    ["Callable", "Callable[[int], int]", "type", "type[int]", "list[Callable[[], int]]", "Callable | None"],
)
def test_whoever_wants_code_is_told_what_helps_and_nothing_else(annotation):
    message = refusal(f"from collections.abc import Callable\ndef f(xs, key: {annotation}): ...\n")
    assert "parameter 'xs' has no type hint; parameter 'key' is" in message
    assert "which is code, for which no input can be made. Inputs must be plain data, also from a task.py." in message
    assert "Move such a parameter to the end and give it a default" in message
    assert "call_f say, that takes plain data and calls f with code of its own" in message
    assert "list[int]`" not in message
    assert ">>>" not in message


def test_what_is_advised_to_whoever_wants_code_helps():
    head = "from collections.abc import Callable\n"
    given = plan_from_annotations(Code(head + "def f(xs: list[int], key: Callable[[int], int] = abs): ...\n"), "f")
    assert [parameter.name for parameter in given.parameters] == ["xs"]


def test_every_parameter_without_a_type_is_named():
    message = refusal("def f(a, b: int, c, d=[]): ...")
    assert "'a'" in message
    assert "'c'" in message
    assert "'b'" not in message
    assert "'d'" not in message
    assert "`a: list[int]`" in message


def test_a_name_that_is_not_there_answers_with_the_nearest():
    with pytest.raises(NoSuchFunction, match="no function 'srot'; there is sort"):
        plan_from_annotations(Code("def sort(x: int): ...\ndef other(): ..."), "srot")


def test_defaults_tell_types_and_what_tells_nothing_is_never_given():
    plan = plan_of("items: list[int], reverse=False, k=3, key=None, n: int = 2")
    assert [(each.name, each.of.kind, each.optional) for each in plan.parameters] == [
        ("items", "list", False),
        ("reverse", "bool", True),
        ("k", "int", True),
    ]


def test_a_function_without_parameters_has_a_plan():
    assert draw(plan_of(""), size=3, shape="random", seed=0, index=0) == ()


def test_names_that_the_file_takes_for_itself_are_its_own():
    plan = plan_from_annotations(Code("list = dict[str, int]\ndef f(x: list): ..."), "f")
    assert plan.parameters[0].of.kind == "dict"


METHODS = """
from dataclasses import dataclass
class Plain:
    def go(self, x: int): ...
    @staticmethod
    def free(x: int): ...
    @classmethod
    def made(cls, x: int): ...
class Hard:
    def __init__(self, size): ...
    def go(self, x: int): ...
@dataclass
class Point:
    x: float
    def go(self, k: int): ...
"""


@check_rows(
    ("name", "receiver", "names"),
    [
        ("Plain.go", "instance", ["x"]),
        ("Plain.free", "none", ["x"]),
        ("Plain.made", "class", ["x"]),
        ("Point.go", "record", ["self", "k"]),
    ],
)
def test_a_method_says_whose_it_is(name, receiver, names):
    plan = plan_from_annotations(Code(METHODS), name)
    assert plan.receiver == receiver
    assert [each.name for each in plan.parameters] == names


def test_a_class_that_cannot_be_made_is_refused():
    assert "Hard cannot be made without size" in refusal(METHODS, "Hard.go")


def test_nothing_of_the_file_is_run(tmp_path):
    mark = tmp_path / "ran"
    source = f"open({str(mark)!r}, 'w')\ndef f(x: open({str(mark)!r}, 'w') | int): ...\n"
    assert "is open(" in refusal(source)
    assert not mark.exists()
