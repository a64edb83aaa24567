"""Names that nothing binds are seen before an edit counts."""

import ast

from tests.breeding.corpus import CORPUS
from tests.breeding.trying import seen
from tests.support.rows import check_rows

from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code, Edit
from mendel.breeding.names import unbound
from mendel.breeding.operators import Operator, vary
from mendel.contracts.entropy import Entropy


@check_rows(
    ("body", "missing"),
    [
        ("return y", {"y"}),
        ("for v in x:\n        t += v\n    return t", {"t"}),
        ("t = t + 1\n    return t", {"t"}),
        ("return t\n    t = 1", {"t"}),
        ("return [w for v in x]", {"w"}),
        ("return math.sqrt(x)", {"math"}),
        ("del t\n    t = 0", {"t"}),
    ],
)
def test_what_has_no_value_is_named(body, missing):
    assert unbound(Code(f"def f(x):\n    {body}\n")) == missing


@check_rows(
    "body",
    [
        "t = 0\n    t += x\n    return t",
        "for v in x:\n        if v > 1:\n            print(last)\n        last = v",
        "return [w for v in x for w in v]",
        "return LIMIT + helper(x)",
        "def inner():\n        return later\n    later = 1\n    return inner()",
        "if (n := len(x)) > 1:\n        return n\n    return __name__",
        "try:\n        pass\n    except ValueError as error:\n        return error\n    import os\n    return os",
        "return (lambda k, *more: k + len(more))(x)",
        "global total\n    total += 1",
        "with x as y, y as z:\n        return z",
    ],
)
def test_what_may_have_a_value_is_not(body):
    source = f"LIMIT = 3\ntotal = 0\n\ndef f(x):\n    {body}\n\ndef helper(x):\n    return x\n"
    assert unbound(Code(source)) == frozenset()


def test_nothing_is_missing_in_whole_programs():
    assert all(unbound(Code(source)) == frozenset() for source in CORPUS.values())


def test_no_operator_leaves_a_name_without_a_value():
    view = seen(CORPUS["bfs"] + CORPUS["helper"])
    made = [vary(view, each, Entropy("names", draw)) for each in OPERATORS.values() for draw in range(6)]
    assert sum(each is not None for each in made) > 20
    assert all(unbound(each.code) == frozenset() for each in made if each is not None)


def test_an_operator_that_only_breaks_names_has_nothing_to_offer():
    def broken(view, node, _):
        return Edit((view.code.replaced(node, "nobody"),), "breaks it")

    view = seen("def f(x):\n    return x + 1\n")
    spoiler = Operator("spoiler", lambda seen: seen.nodes(ast.Constant), broken)
    assert vary(view, spoiler, Entropy("names")) is None


def test_what_the_parent_lacks_too_is_no_fault_of_the_edit():
    view = seen("def f(x):\n    return provided(x) + 1\n")
    assert vary(view, OPERATORS["constant"], Entropy("names")) is not None
