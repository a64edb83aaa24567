"""Search sorted lists by bisection, find matching pairs through an index, and store numbers in arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.lookups import COUNTED, looked_up, walked_group
from mendel.breeding.rewrites.membership import searched_list, steady_place
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator, then
from mendel.breeding.view import View, reads, writes

_BISECT: Final = ("import bisect",)
_ARRAY: Final = ("from array import array",)


def _first_place(sign: str, side: str) -> Iterator[Rule]:
    """Yield rules for linear searches of a sorted list for the place of ``$e``."""
    told, past = f"bisect.bisect_{side}(?x, $e)", {">=": "<", ">": "<="}[sign]
    walk = f"for ?i in range(len(?x)):\n    if ?x[?i] {sign} $e:\n        return ?i\nreturn len(?x)"
    yield Rule("searched by bisection", walk, f"return {told}", imports=_BISECT)
    numbered = f"for ?i, ?v in enumerate(?x):\n    if ?v {sign} $e:\n        return ?i\nreturn len(?x)"
    yield Rule("searched by bisection", numbered, f"return {told}", imports=_BISECT)
    step = f"?i = 0\nwhile ?i < len(?x) and ?x[?i] {past} $e:\n    ?i += 1"
    yield Rule("searched by bisection", step, f"?i = {told}", imports=_BISECT)
    broken = f"?i = 0\nfor ?v in ?x:\n    if ?v {sign} $e:\n        break\n    ?i += 1"
    yield Rule("searched by bisection", broken, f"?i = {told}", imports=_BISECT)


ORDERED: Final = (
    *_first_place(">=", "left"),
    *_first_place(">", "right"),
    Rule("put where it belongs", "?x.append($e)\n?x.sort()", "bisect.insort(?x, $e)", imports=_BISECT),
    Rule("put where it belongs", "?x.append($e)\n?x = sorted(?x)", "bisect.insort(?x, $e)", imports=_BISECT),
    Rule("sorted once", "while ?x:\n    ?x.sort()\n    $$body", "?x.sort()\nwhile ?x:\n    $$body"),
    Rule("sorted once", "for $t in $y:\n    ?x.sort()\n    $$body", "?x.sort()\nfor $t in $y:\n    $$body"),
)


def halved_test(view: View, node: ast.AST) -> Iterator[Edit]:
    """Test membership by bisection, in a sorted copy or in the list itself, which may happen to be sorted."""
    name = searched_list(view, node)
    if name is None or not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.In):
        return
    sought = view.code.of(node.left)
    yield Edit((view.code.replaced(node, _halved(view, name, sought)),), "searched by bisection", _BISECT)
    place = steady_place(view, node, name)
    if place is not None:
        ordered = scope.fresh(view.code, "ordered")
        made = view.code.before(place, f"{ordered} = sorted({name})")
        swap = view.code.replaced(node, _halved(view, ordered, sought))
        yield Edit((made, swap), "searched by bisection in a sorted copy", _BISECT)


def _halved(view: View, name: str, sought: str) -> str:
    place = scope.fresh(view.code, "place")
    inside = f"({place} := bisect.bisect_left({name}, {sought})) < len({name})"
    return f"({inside} and {name}[{place}] == {texts.atom(sought)})"


_RANKS: Final = {
    "<": "bisect.bisect_left({0}, {1})",
    "<=": "bisect.bisect_right({0}, {1})",
    ">": "len({0}) - bisect.bisect_right({0}, {1})",
    ">=": "len({0}) - bisect.bisect_left({0}, {1})",
}
_RANKED: Final = tuple(
    (Reduction("", f"sum(1 for ?v in ?x if ?v {sign} $e)", ""), told) for sign, told in _RANKS.items()
)


def ranked(view: View, node: ast.AST) -> Iterator[Edit]:
    """Count smaller or larger elements by bisection in a sorted copy made once."""
    for rule, told in _RANKED:
        for match in rule.found(view, node):
            place = steady_place(view, node, match.name("x"))
            if place is None or match.name("v") in reads(match.expr("e")) or not isinstance(node, ast.expr):
                continue
            ordered = match.fresh("ordered")
            made = view.code.before(place, f"{ordered} = sorted({match.name('x')})")
            text = texts.fitted(view, node, told.format(ordered, match.text("e")))
            yield Edit((made, texts.swap(view.code, node, text)), "ranked in a sorted copy", _BISECT)


def _apart(match: Match) -> bool:
    """Return whether one side reads only the inner element, the other not, and the inner iterable not the outer one."""
    outer, inner = writes(match.expr("s")), writes(match.expr("t"))
    left, right = reads(match.expr("l")), reads(match.expr("r"))
    fits = bool(left & inner) and not left & outer and not right & inner
    return fits and not reads(match.expr("y")) & outer and scope.pure(match.expr("l"))


_INDEX: Final = "!index = {}\nfor $t in $y:\n    !index.setdefault($l, []).append($t)\n"


def _pairs(test: str, body: str, indent: str) -> Iterator[Rule]:
    sides = {"$l == $r": "$r", "$a + $l == $r": "$r - $a", "$r - $a == $l": "$r - $a"}
    for equal, sought in sides.items():
        then = test.replace("EQUAL", equal)
        loop = f"for $t in !index.get({sought}, ()):"
        plain = f"for $s in $x:\n    for $t in $y:\n        if {then}:\n            $$then"
        yield Rule(
            "found through an index", plain, f"{_INDEX}for $s in $x:\n    {loop}\n        {body}{indent}$$then", _apart
        )
        later = f"for $s in range($n):\n    for $t in range($s + 1, $m):\n        if {then}:\n            $$then"
        made = _INDEX.replace("$y", "range($m)")
        yield Rule("found through an index", later,
                   f"{made}for $s in range($n):\n    {loop}\n        if $t > $s:\n            {body}{indent}$$then",
                   _apart_later)  # fmt: skip


def _apart_later(match: Match) -> bool:
    outer, inner = writes(match.expr("s")), writes(match.expr("t"))
    left, right = reads(match.expr("l")), reads(match.expr("r"))
    fits = bool(left & inner) and not left & outer and not right & inner
    return fits and ("a" not in match.bindings or not reads(match.expr("a")) & inner)


PAIRS: Final = tuple(_pairs("EQUAL", "", ""))

ARRAYS: Final = (
    Reduction("flags in bytes", "[False] * $n", "bytearray($n)"),
    Reduction("flags in bytes", "[True] * $n", "bytearray(b'\\x01') * $n"),
    Reduction("numbers in an array", "[0] * $n", "array('q', [0]) * $n", imports=_ARRAY),
    Reduction("numbers in an array", "[0.0] * $n", "array('d', [0.0]) * $n", imports=_ARRAY),
    Reduction("flags in bytes", "[False for ?i in range($n)]", "bytearray($n)"),
    Reduction("repeated at once", "[0 for ?i in range($n)]", "[0] * $n"),
)

BISECT = operator("bisect", 1.5, *ORDERED, halved_test, ranked)
INDEX = operator("index", 2.5, *PAIRS, looked_up, walked_group, *(then(each, looked_up) for each in COUNTED))
ARRAY = operator("array", 0.7, *ARRAYS)
