"""Lists from which a loop repeatedly takes the minimum or maximum: iterate in order, sort once, or use a heap."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Change, Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.rules import Match, Rule
from mendel.breeding.view import View

_HEAPQ: Final = ("import heapq",)
_GROWS: Final = ("append", "add")


def _takings(which: str) -> tuple[str, ...]:
    """Return patterns that take the minimum, or the maximum, out of ``?x``."""
    front, back = ("pop(0)", "pop()") if which == "min" else ("pop()", "pop(0)")
    end, rest = ("[0]", "[1:]") if which == "min" else ("[-1]", "[:-1]")
    return (
        f"$v = {which}(?x)\n?x.remove($v)",
        f"$v = ?x.pop(?x.index({which}(?x)))",
        f"?x.sort()\n$v = ?x.{front}",
        f"?x = sorted(?x)\n$v = ?x.{front}",
        f"?x.sort()\n$v = ?x{end}\n?x = ?x{rest}",
        f"?x.sort(reverse=True)\n$v = ?x.{back}",
    )


TAKEN: Final = {which: tuple(Rule("", taken, "") for taken in _takings(which)) for which in ("min", "max")}


def _taken_out(view: View, node: ast.AST) -> tuple[str, Match] | None:
    """Return the match of a pattern that takes the minimum or maximum, if one begins at the node."""
    found = ((which, match) for which, rules in TAKEN.items() for rule in rules for match in rule.found(view, node))
    return next(found, None)


def _all_taken(view: View, loop: ast.stmt, which: str, name: str, text: str) -> list[Change]:
    """Replace every place in a loop that takes the minimum or maximum from the list."""
    made: list[Change] = []
    for each in ast.walk(loop):
        taken = _taken_out(view, each)
        if taken is not None and (taken[0], taken[1].name("x")) == (which, name):
            held = [node for node in taken[1].nodes if isinstance(node, ast.stmt)]
            change = texts.window(view.code, held, f"{taken[1].text('v')} = {text}")
            made += [change] if change is not None else []
    return made


def _additions(loop: ast.stmt, name: str) -> list[ast.Call]:
    calls = [each for each in ast.walk(loop) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    return [each for each in calls if len(each.args) == 1 and _adds_to(each.func, name)]


def _adds_to(function: ast.expr, name: str) -> bool:
    grows = isinstance(function, ast.Attribute) and function.attr in _GROWS
    owner = getattr(function, "value", None)
    return grows and isinstance(owner, ast.Name) and owner.id == name


def heap_list(view: View, node: ast.AST) -> Iterator[Edit]:
    """Turn a list from which a loop takes its minimum or maximum into a heap."""
    loops, taken = view.loops_around(node), _taken_out(view, node)
    if taken is None or not loops or not view.code.alone(loops[0]):
        return
    which, match = taken
    name, loop, sign = match.name("x"), loops[0], "" if which == "min" else "-"
    if sign and _read_after(view, loop, name):
        return  # a maximum needs negated elements, which later reads must not see
    pushes = [
        view.code.replaced(each, f"heapq.heappush({name}, {sign}{_signed(view, each.args[0], sign)})")
        for each in _additions(loop, name)
    ]
    turned = f"{name} = [-each for each in {name}]\n" if sign else ""
    made = view.code.before(loop, f"{turned}heapq.heapify({name})")
    windows = _all_taken(view, loop, which, name, f"{sign}heapq.heappop({name})")
    yield Edit((made, *windows, *pushes), "a heap instead of sorting", _HEAPQ)


def _signed(view: View, node: ast.expr, sign: str) -> str:
    return texts.atom(view.code.of(node)) if sign else view.code.of(node)


def _read_after(view: View, loop: ast.stmt, name: str) -> bool:
    last = loop.end_lineno or loop.lineno
    return any(each.lineno > last for each in scope.loads(view.function_of(loop), name))


def sorted_list(view: View, node: ast.AST) -> Iterator[Edit]:
    """Sort a list once from which a loop only takes the minimum or maximum, and pop from its end."""
    loops, taken = view.loops_around(node), _taken_out(view, node)
    if taken is None or not loops or not view.code.alone(loops[0]):
        return
    which, match = taken
    name, loop = match.name("x"), loops[0]
    if _additions(loop, name):
        return
    order = "reverse=True" if which == "min" else ""
    windows = _all_taken(view, loop, which, name, f"{name}.pop()")
    for text in (f"{name}.sort({order})", f"{name} = sorted({name}{', ' + order if order else ''})"):
        yield Edit((view.code.before(loop, text), *windows), "sorted once")


def _left_alone(match: Match) -> bool:
    return match.name("x") not in scope.changed(match.block("body"))


def _in_order() -> Iterator[Rule]:
    """Yield rules that turn loops emptying a list in order into iteration over the sorted list."""
    heads = ("while ?x", "while len(?x) > 0", "for ?n in range(len(?x))")
    for which, order in (("min", ""), ("max", ", reverse=True")):
        for head in heads:
            for taken in (*_takings(which), *(["$v = heapq.heappop(?x)"] if which == "min" else [])):
                inside = taken.replace("\n", "\n    ")
                for after in ("", "\n?x.clear()"):
                    yield Rule(
                        "walked in order",
                        f"{head}:\n    {inside}\n    $$body",
                        f"for $v in sorted(?x{order}):\n    $$body{after}",
                        _left_alone if after == "" else _wanted_empty,
                    )


def _wanted_empty(match: Match) -> bool:
    return _left_alone(match) and match.read_elsewhere(match.name("x"))


IN_ORDER: Final = tuple(_in_order())
