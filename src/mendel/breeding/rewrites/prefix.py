"""Read sums, maxima and minima of slices in a loop from prefix tables computed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import texts
from mendel.breeding.rewrites.membership import steady_place
from mendel.breeding.rewrites.patterns import Bindings
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator
from mendel.breeding.view import View

_ITERTOOLS: Final = ("import itertools",)
_SUMS: Final = (
    Reduction("", "sum(?x[$a:$b])", ""),
    Reduction("", "sum(?x[:$b])", ""),
    Reduction("", "sum(?x[$a:])", ""),
    Reduction("", "sum(?x[?k] for ?k in range($a, $b))", ""),
    Reduction("", "sum(?x[?k] for ?k in range($b))", ""),
)
_EXTREMES: Final = tuple(
    (name, Reduction("", f"{name}({pattern})", ""))
    for name in ("max", "min")
    for pattern in ("?x[:$b]", "?x[?k] for ?k in range($b)")
)


def summed(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace ``sum(x[a:b])`` by the difference of two prefix sums."""
    for rule in _SUMS:
        for match in rule.found(view, node):
            place = steady_place(view, node, match.name("x"))
            if place is None or not isinstance(node, ast.expr):
                continue
            sums, name = match.fresh("sums"), match.name("x")
            made = view.code.before(place, f"{sums} = [0, *itertools.accumulate({name})]")
            for text in _differences(match, sums, name):
                swap = texts.swap(view.code, node, texts.fitted(view, node, text))
                yield Edit((made, swap), "sums from the start", _ITERTOOLS)


def _differences(match: Match, sums: str, name: str) -> Iterator[str]:
    start, stop = _bound(match, match.bindings, "a", "0"), _bound(match, match.bindings, "b", f"len({name})")
    low = "" if start == "0" else f" - {sums}[{start}]"
    yield f"{sums}[{stop}]{low}"
    size = f"len({name})"  # a slice may exceed the list, an index may not: the versions below cap it
    capped = "" if start == "0" else f" - {sums}[min({start}, {size})]"
    yield f"{sums}[min({stop}, {size})]{capped}"
    if start != "0":
        yield f"{sums}[max(min({stop}, {size}), {start})]{capped}"


def _bound(match: Match, bindings: Bindings, hole: str, default: str) -> str:
    return match.text(hole) if hole in bindings else default


def running(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace ``max(x[:b])`` by a lookup in the running maxima."""
    for name, rule in _EXTREMES:
        for match in rule.found(view, node):
            place = steady_place(view, node, match.name("x"))
            if place is None or not isinstance(node, ast.expr):
                continue
            table = match.fresh(f"running_{name}")
            made = view.code.before(place, f"{table} = list(itertools.accumulate({match.name('x')}, {name}))")
            text = f"{table}[{match.text('b')} - 1]".replace(" + 1 - 1]", "]")  # `max(x[:i + 1])` reads entry i
            yield Edit((made, texts.swap(view.code, node, text)), f"running {name}", _ITERTOOLS)


KEPT: Final = (
    Rule("kept running", "?o = []\nfor ?i in range(len(?x)):\n    ?o.append(sum(?x[:?i + 1]))",
         "?o = list(itertools.accumulate(?x))", imports=_ITERTOOLS),
    Reduction("kept running", "[sum(?x[:?i + 1]) for ?i in range(len(?x))]", "list(itertools.accumulate(?x))",
              imports=_ITERTOOLS),
    Rule("kept running", "?t = 0\n?o = []\nfor ?v in $x:\n    ?t += ?v\n    ?o.append(?t)",
         "?o = list(itertools.accumulate($x))", imports=_ITERTOOLS),
)  # fmt: skip

PREFIX_SUMS = operator("prefix_sums", 2.0, summed, running, *KEPT)
