"""Operators that change one sign, constant or expression at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from mendel.breeding.code import Change, Edit
from mendel.breeding.operators import Operator
from mendel.breeding.rewrites import texts
from mendel.breeding.rewrites.ranges import is_range
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy

COMPARISONS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
MEMBERSHIPS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_OPPOSITES: Final = {"in": "not in", "not in": "in", "is": "is not", "is not": "is"}
ARITHMETIC: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Div: "/",
    ast.Mod: "%",
}
_TWICE: Final = 0.2
"""Probability that two constants change at once."""
_MAGNITUDES: Final = 7
"""Steps of floats are scaled by powers of ten from 10**-1 down; this exponent is excluded."""


def _own(view: View) -> Iterator[ast.expr]:
    """Yield expressions with a reliable position in the text; parts of f-strings have none."""
    formatted = {id(inner) for whole in view.nodes(ast.JoinedStr) for inner in ast.walk(whole)}
    return (node for node in view.expressions() if id(node) not in formatted)


def _operators(view: View) -> Iterator[ast.expr]:
    return (node for node in _own(view) if isinstance(node, ast.Compare | ast.BinOp | ast.BoolOp))


def _operator(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    way = entropy.weighted([6.0, 2.0, 1.0], "way")  # another sign, swapped operands, a negation
    if way == 1 and isinstance(node, ast.Compare | ast.BinOp):
        return _turned(view, node)
    if way == 2 and isinstance(node, ast.Compare | ast.BoolOp):
        return Edit((view.code.replaced(node, f"(not ({view.code.of(node)}))"),), "negates a test")
    return _other_sign(view, node, entropy)


def _turned(view: View, node: ast.Compare | ast.BinOp) -> Edit | None:
    right = node.right if isinstance(node, ast.BinOp) else node.comparators[0]
    one, two = texts.atom(view.code.of(node.left)), texts.atom(view.code.of(right))
    swaps = texts.swap(view.code, node.left, two), texts.swap(view.code, right, one)
    return Edit(swaps, "exchanges operands")


def _other_sign(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    if isinstance(node, ast.Compare):
        place = entropy.below(len(node.ops), "which")
        left = [node.left, *node.comparators][place]
        return _between(view, left, node.comparators[place], *_comparisons(node.ops[place]), entropy)
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        sign = ARITHMETIC[type(node.op)]
        options = [each for each in ARITHMETIC.values() if each != sign]
        return _between(view, node.left, node.right, sign, options, entropy)
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        return _between(view, node.values[0], node.values[1], old, [new], entropy)
    return None


def _comparisons(op: ast.cmpop) -> tuple[str, list[str]]:
    if type(op) in COMPARISONS:
        sign = COMPARISONS[type(op)]
        return sign, [each for each in COMPARISONS.values() if each != sign]
    sign = MEMBERSHIPS[type(op)]
    return sign, [_OPPOSITES[sign]]


def _between(
    view: View, left: ast.expr, right: ast.expr, old: str, options: list[str], entropy: Entropy
) -> Edit | None:
    """Replace the sign between two operands; brackets and line breaks around it stay."""
    start, end = view.code.span(left)[1], view.code.span(right)[0]
    at = view.code.text.find(old, start, end)
    if at < 0:
        return None
    new = entropy.pick(options, "sign")
    return Edit((Change(at, at + len(old), new),), f"{old} becomes {new}")


def _constants(view: View) -> Iterator[ast.expr]:
    return (node for node in _own(view) if isinstance(node, ast.Constant) and _changeable(node.value))


def _changeable(value: object) -> bool:
    # Huge integers are excluded: `value * 2`, generation after generation, would let them grow without limit.
    return isinstance(value, bool | int | float | str) and not (isinstance(value, int) and abs(value) > 1 << 64)


def _constant(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    """Change the value of a constant, and sometimes of a second one, because numbers often depend on each other."""
    first = _another(view, node, entropy)
    if first is None or entropy.unit("twice") >= _TWICE:
        return first
    others = [each for each in _constants(view) if each is not node and _is_float(each) == _is_float(node)]
    second = _another(view, entropy.pick(others, "partner"), entropy.child("second")) if others else None
    return Edit((*first.changes, *second.changes), f"{first.note}, {second.note}") if second is not None else first


def _is_float(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is float


def _another(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    if not isinstance(node, ast.Constant):
        return None
    # `repr` tells True from 1 and 0.0 from -0.0.
    options = [each for each in _options(node.value, entropy) if repr(each) != repr(node.value)]
    others = _others(view, node.value)
    borrowed = entropy.below(12 if _is_float(node) else 4, "other") == 0
    pool = others if others and (not options or borrowed) else options
    if not pool:
        return None
    text = _number(entropy.pick(pool, "value"))
    return Edit((view.code.replaced(node, texts.fitted(view, node, text)),), f"{view.code.of(node)} becomes {text}")


def _options(value: object, entropy: Entropy) -> list[bool | int | float | str]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, 0, 1, value // 2, value * 2, -value]
    if isinstance(value, float):
        return _stepped(value, entropy)
    return ["", " "] if isinstance(value, str) else []


def _stepped(value: float, entropy: Entropy) -> list[bool | int | float | str]:
    """Return steps of several magnitudes in both directions, each of random length, and a few coarse changes."""
    size = abs(value) if value else 1.0
    steps: list[bool | int | float | str] = []
    for power in range(1, _MAGNITUDES):
        reach = size * 10.0**-power * (0.5 + entropy.unit("reach", power))
        steps += [value + reach, value - reach]
    return [*steps, *steps, value / 2, value * 2, -value]  # listed twice: fine steps are drawn more often


def _others(view: View, value: object) -> list[bool | int | float | str]:
    """Return the file's other constants of the same type, sorted so that draws are repeatable."""
    found = [node.value for node in ast.walk(view.code.tree) if isinstance(node, ast.Constant)]
    kept = [each for each in found if type(each) is type(value) and each != value and len(repr(each)) < 80]
    unlike = {repr(each): each for each in kept if isinstance(each, bool | int | float | str)}
    return [unlike[key] for key in sorted(unlike)]


def _number(value: object) -> str:
    text = repr(value)
    return text if text not in {"inf", "-inf", "nan"} else f'float("{text}")'  # their repr is not a literal


def _replaceable(view: View) -> Iterator[ast.expr]:
    return (node for node in _values(view) if not isinstance(node, ast.Constant))


def _values(view: View) -> Iterator[ast.expr]:
    """Yield expressions that have a value: no slices, no starred arguments, and no called functions."""
    for node in _own(view):
        called = getattr(view.code.parents[node], "func", None) is node
        if not called and not isinstance(node, ast.Slice | ast.Starred):
            yield node


def _expression(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    if not isinstance(node, ast.expr):
        return None
    if isinstance(node, ast.Call) and is_range(node) and entropy.below(2, "range") == 0:
        return _other_range(view, node, entropy)
    pool = _candidates(view, node, entropy)
    if not pool:
        return None
    text = texts.fitted(view, node, view.code.of(entropy.pick(pool, "other")))
    return Edit((texts.swap(view.code, node, text),), f"`{view.code.of(node)[:40]}` becomes `{text[:40]}`")


def _candidates(view: View, node: ast.expr, entropy: Entropy) -> list[ast.expr]:
    """Return expressions of the function: mostly of the same kind, sometimes parts of the node, sometimes any."""
    function = view.function_of(node)
    found = [each for each in _values(view) if view.function_of(each) is function and each is not node]
    inside = {id(each) for each in ast.walk(node)}
    parts = [each for each in found if id(each) in inside]
    alike = [each for each in found if type(each) is type(node)]
    pools = (alike, parts, found)
    weights = [share if pool else 0.0 for share, pool in zip((5.0, 3.0, 2.0), pools, strict=True)]
    return pools[entropy.weighted(weights, "pool")] if any(weights) else []


def _other_range(view: View, node: ast.Call, entropy: Entropy) -> Edit | None:
    """Change the bounds of a range: shifted by one, from zero, reversed, or halved."""
    given = [texts.atom(view.code.of(each)) for each in node.args]
    start, stop, *step = given if len(given) > 1 else ["0", *given]
    options = [
        [start, f"{stop} + 1", *step],
        [start, f"{stop} - 1", *step],
        [f"{start} + 1", stop, *step],
        [f"{start} - 1", stop, *step],
        ["0", stop, *step],
        [f"{stop} - 1", f"{start} - 1", "-1"],
        [start, f"{stop} // 2", *step],
    ]
    text = f"range({', '.join(entropy.pick(options, 'bounds'))})"
    return Edit((view.code.replaced(node, text),), f"`{view.code.of(node)[:40]}` becomes `{text[:40]}`")


OPERATOR = Operator("operator", _operators, _operator, 1.0)
CONSTANT = Operator("constant", _constants, _constant, 1.5)
EXPRESSION = Operator("expression", _replaceable, _expression, 0.7)
