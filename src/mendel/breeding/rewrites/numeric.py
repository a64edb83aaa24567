"""Use NumPy where it is granted: vectorised products, elementwise operations and means, and arrays created once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.hoisting import repeated
from mendel.breeding.rewrites.rules import Match, Reduction, Rewrite, Rule, operator, then
from mendel.breeding.view import View, reads

NUMPY: Final = ("import numpy as np",)


def _granted(match: Match) -> bool:
    return "numpy" in match.view.packages


def _fixed(match: Match) -> bool:
    """Return whether NumPy is granted and the other operand does not read the element."""
    return _granted(match) and match.name("v") not in reads(match.expr("m"))


def _indexed(match: Match) -> bool:
    fixed = reads([match.expr(hole) for hole in "nk" if hole in match.bindings])
    return _granted(match) and match.name("i") not in fixed


def _rule(pattern: str, becomes: str) -> Rule:
    return Rule("NumPy's product", pattern, becomes, _indexed, imports=NUMPY)


_PAIRED: Final = "np.dot($x[:len($y)], $y[:len($x)]).item()"  # `.item()` and `.tolist()` return Python's own types
PRODUCTS: Final = (
    *(
        Reduction("NumPy's product", pattern, _PAIRED, _granted, imports=NUMPY)
        for pattern in (
            "sum(map(operator.mul, $x, $y))",
            "sum(?v * ?w for ?v, ?w in zip($x, $y))",
            "sum([?v * ?w for ?v, ?w in zip($x, $y)])",
        )
    ),
    _rule("for ?i in range($n):\n    ?o += ?x[?i] * ?y[?i]", "?o += np.dot(?x[:$n], ?y[:$n]).item()"),
    _rule("for ?i in range($n):\n    ?o += ?x[?i] * ?y[?i + $k]", "?o += np.dot(?x[:$n], ?y[$k:$k + $n]).item()"),
    Rule("NumPy's product", "for ?v, ?w in zip($x, $y):\n    ?o += ?v * ?w", f"?o += {_PAIRED}", _granted,
         imports=NUMPY),
    Reduction("NumPy's product", "sum(?x[?i] * ?y[?i] for ?i in range($n))", "np.dot(?x[:$n], ?y[:$n]).item()",
              _indexed, imports=NUMPY),
    Reduction("NumPy's product", "sum(?x[?i] * ?y[?i + $k] for ?i in range($n))",
              "np.dot(?x[:$n], ?y[$k:$k + $n]).item()", _indexed, imports=NUMPY),
)  # fmt: skip

_SIGNS: Final = {"-": "subtract", "+": "add", "*": "multiply", "/": "divide"}
ELEMENTWISE: Final = (
    *(
        Reduction("NumPy's elements", f"[?v {sign} $m for ?v in $x]", f"np.{name}($x, $m).tolist()", _fixed,
                  imports=NUMPY)
        for sign, name in _SIGNS.items()
    ),
    *(
        Reduction("NumPy's elements", f"[?v {sign} ?w for ?v, ?w in zip($x, $y)]", f"np.{name}($x, $y).tolist()",
                  _granted, imports=NUMPY)
        for sign, name in _SIGNS.items()
    ),
    Reduction("NumPy's mean", "sum($x) / len($x)", "np.mean($x).item()", _granted, imports=NUMPY),
)  # fmt: skip


def arrays_once(view: View, node: ast.AST) -> Iterator[Edit]:
    """Convert a list that a loop repeatedly passes to NumPy to an array once before the loop."""
    name = _given(view, node)
    if name is None or not repeated(view, node):
        return
    steady = [loop for loop in view.loops_around(node) if name not in scope.changed(loop)]
    if not steady or not view.code.alone(steady[-1]):
        return
    place, array = steady[-1], scope.fresh(view.code, f"{name}_array")
    found = [each for each in scope.loads(place, name) if _given(view, each) == name]
    made = view.code.before(place, f"{array} = np.array({name})")
    yield Edit((made, *(texts.swap(view.code, each, array) for each in found)), "an array made once", NUMPY)


def _given(view: View, node: ast.AST) -> str | None:
    """Return the node's name if it, or a slice of it, is an argument of a NumPy function."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    child: ast.expr = node
    parent = view.code.parents[node]
    if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.slice, ast.Slice):
        child, parent = parent, view.code.parents[parent]
    function = parent.func if isinstance(parent, ast.Call) and parent.func is not child else None
    owner = function.value if isinstance(function, ast.Attribute) else None
    return node.id if isinstance(owner, ast.Name) and owner.id == "np" else None


_AT_ONCE: Final[tuple[Rewrite, ...]] = tuple(then(each, arrays_once) for each in PRODUCTS)
NUMERIC = operator("numeric", 1.5, *PRODUCTS, *ELEMENTWISE, arrays_once, *_AT_ONCE)
