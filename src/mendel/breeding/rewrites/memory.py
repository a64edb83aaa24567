"""Use less memory: generators in place of lists, ranges in place of lists of numbers, the last values of a table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator
from mendel.breeding.view import View, reads

_CONSUMERS: Final = frozenset(
    {
        *("sum", "any", "all", "min", "max", "set", "sorted", "tuple", "list"),
        *("dict", "frozenset", "enumerate", "zip", "map", "filter"),
    }
)
_LAZY: Final = frozenset({"map", "zip", "filter", "range", "enumerate", "reversed"})


def unlisted(view: View, node: ast.AST) -> Iterator[Edit]:
    """Turn a list that is only consumed into a generator, or a consumed generator into a list."""
    parent = view.code.parents.get(node)
    if isinstance(node, ast.ListComp) and isinstance(parent, ast.Call) and _consumes(parent, node):
        text = view.code.of(node)[1:-1]
        alone = len(parent.args) == 1 and not parent.keywords
        yield Edit((view.code.replaced(node, text if alone else f"({text})"),), "a generator")
    elif isinstance(node, ast.ListComp) and isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        yield Edit((view.code.replaced(node, f"({view.code.of(node)[1:-1]})"),), "a generator")
    elif isinstance(node, ast.GeneratorExp) and isinstance(parent, ast.Call) and _consumes(parent, node):
        yield Edit((texts.swap(view.code, node, f"([{view.code.of(node)[1:-1]}])"),), "a list")


def _consumes(call: ast.Call, node: ast.expr) -> bool:
    by_name = isinstance(call.func, ast.Name) and call.func.id in _CONSUMERS
    joins = isinstance(call.func, ast.Attribute) and call.func.attr in {"join", "extend", "update"}
    return (by_name or joins) and any(each is node for each in call.args)


def lazily(view: View, node: ast.AST) -> Iterator[Edit]:
    """Remove ``list(…)`` around an iterable that is only iterated."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"):
        return
    parent = view.code.parents[node]
    looped = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
    consumed = isinstance(parent, ast.Call) and _consumes(parent, node)
    assigned = isinstance(parent, ast.Assign) and _is_lazy(node)
    if len(node.args) == 1 and not node.keywords and (looped or consumed or assigned):
        yield Edit((view.code.replaced(node, view.code.of(node.args[0])),), "no list in between")


def _is_lazy(node: ast.Call) -> bool:
    inner = node.args[0] if len(node.args) == 1 else None
    return isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in _LAZY


def used_once(view: View, node: ast.AST) -> Iterator[Edit]:
    """Turn a named list that is read once into a generator."""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.ListComp)):
        return
    target = node.targets[0]
    function = view.function_of(node)
    if not isinstance(target, ast.Name) or len(scope.loads(function, target.id)) != 1:
        return
    (use,) = scope.loads(function, target.id)
    parent = view.code.parents[use]
    consumed = isinstance(parent, ast.Call) and _consumes(parent, use)
    if consumed or (isinstance(parent, ast.For | ast.comprehension) and parent.iter is use):
        yield Edit((view.code.replaced(node.value, f"({view.code.of(node.value)[1:-1]})"),), "a generator")


def last_two(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace a table by two variables if a loop reads only its last two values."""
    for rule in TABLES:
        for match in rule.found(view, node):
            yield from _last_two(match)


def _last_two(match: Match) -> Iterator[Edit]:
    table, older, last = match.name("t"), match.fresh("older"), match.fresh("last")
    stepped = _with_last(match, match.expr("e"), {1: last, 2: older})
    if stepped is None or match.read_elsewhere(table):
        return
    code = match.view.code
    text = (
        f"{older}, {last} = {match.text('a')}, {match.text('b')}\n"
        f"for {match.name('i')} in range({match.text('n')}, {match.text('m')}):\n"
        f"    {older}, {last} = {last}, {stepped}\nreturn {last}"
    )
    change = texts.window(code, [each for each in match.nodes if isinstance(each, ast.stmt)], text)
    if change is not None:
        yield Edit((change,), "two values instead of a table")


def _with_last(match: Match, step: ast.expr, names: dict[int, str]) -> str | None:
    """Return the step with ``t[i - 1]``, ``t[i - 2]``, ``t[-1]`` and ``t[-2]`` as names; None if it reads others."""
    table, swaps = match.name("t"), dict[ast.expr | ast.stmt, str]()
    for each in ast.walk(step):
        if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and each.value.id == table:
            back = _back(each.slice, match.name("i"))
            if back not in names:
                return None
            swaps[each] = names[back]
    whole = len(scope.mentions(step, table)) == len(swaps)
    return texts.text_of(match.view.code, step, swaps) if whole and swaps else None


def _back(place: ast.expr, index: str) -> int:
    """Return how far back from the end an index reaches; 0 if that is unknown."""
    if isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub) and isinstance(place.operand, ast.Constant):
        return int(place.operand.value) if isinstance(place.operand.value, int) else 0
    behind = isinstance(place, ast.BinOp) and isinstance(place.op, ast.Sub)
    if isinstance(place, ast.BinOp) and behind and isinstance(place.left, ast.Name) and place.left.id == index:
        known = isinstance(place.right, ast.Constant) and isinstance(place.right.value, int)
        return int(getattr(place.right, "value", 0)) if known else 0
    return 0


TABLES: Final = tuple(
    Rule("", f"{start}\nfor ?i in range($n, $m):\n    {step}\nreturn ?t[{end}]", "")
    for start in ("?t = [$a, $b]", "?t = $z * $k\n?t[0] = $a\n?t[1] = $b")
    for step in ("?t.append($e)", "?t[?i] = $e")
    for end in ("-1", "$r")
)


def _unused(match: Match) -> bool:
    return match.name("o") not in reads(match.expr("e")) and not match.read_elsewhere(match.name("o"))


RUNNING: Final = (
    Reduction("the elements themselves", "(?v for ?v in $x)", "$x"),
    Reduction("a range", "[?i for ?i in range($n)]", "range($n)"),
    Reduction("counted without a list", "len([$e for $t in $x if $c])", "sum(1 for $t in $x if $c)"),
    Reduction("counted by len()", "len([$e for $t in $x])", "len($x)"),
    Reduction("the first that fits", "[$e for $t in $x if $c][0]", "next($e for $t in $x if $c)"),
    Rule("a running sum", "?o = []\nfor $t in $x:\n    ?o.append($e)\nreturn sum(?o)",
         "!total = 0\nfor $t in $x:\n    !total += $e\nreturn !total", _unused),
    Rule("a running sum", "?o = [$e for $t in $x]\nreturn sum(?o)", "return sum($e for $t in $x)", _unused),
)  # fmt: skip

GENERATOR = operator("generator", 1.5, unlisted, lazily, used_once, *RUNNING)
ROLLING = operator("rolling_table", 1.0, last_two)
