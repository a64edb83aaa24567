"""Early exits: stop when the result is known, when a pass changed nothing, or when no result can follow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendel.breeding.code import Change, Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.rules import Match, Rule, operator
from mendel.breeding.view import LOOPS, View, reads


def unchanged_pass(view: View, node: ast.AST) -> Iterator[Edit]:
    """End a loop over passes after a pass without changes, as in a bubble sort."""
    if not isinstance(node, ast.For | ast.While) or not view.code.alone(node.body[0]):
        return
    inner = [each for each in node.body if isinstance(each, ast.For | ast.While)]
    for loop in inner[-1:]:
        for test in _changing(loop):
            yield from _flagged(view, node, test)


def _changing(loop: ast.For | ast.While) -> list[ast.If]:
    """Return the tests in a loop that guard the assignment of an element."""
    tests = [each for each in ast.walk(loop) if isinstance(each, ast.If) and not each.orelse]
    return [test for test in tests if any(_assigns_element(each) for each in test.body)]


def _assigns_element(node: ast.stmt) -> bool:
    return any(isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store) for each in ast.walk(node))


def _flagged(view: View, outer: ast.For | ast.While, test: ast.If) -> Iterator[Edit]:
    code, flag = view.code, scope.fresh(view.code, "changed")
    last = outer.body[-1]
    if not code.alone(test.body[0]) or not code.alone(last):
        return
    marks = (
        code.before(outer.body[0], f"{flag} = False"),
        code.before(test.body[0], f"{flag} = True"),
        code.after(last, f"if not {flag}:\n    break"),
    )
    yield Edit(marks, "stops after a pass that changed nothing")


def break_when_not(view: View, node: ast.AST) -> Iterator[Edit]:
    """End a loop that ends with a test when the test fails, as in the inner loop of an insertion sort."""
    if isinstance(node, ast.For | ast.While) and isinstance(node.body[-1], ast.If) and not node.body[-1].orelse:
        test = node.body[-1]
        if view.code.alone(test):
            yield Edit((view.code.after(test, "else:\n    break"),), "stops when the test fails")


def break_when_found(view: View, node: ast.AST) -> Iterator[Edit]:
    """End a loop once it has set a flag or a result."""
    if not isinstance(node, ast.If) or not view.loops_around(node) or not view.code.alone(node.body[-1]):
        return
    last = node.body[-1]
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        yield Edit((view.code.after(last, "break"),), "stops when found")


def leave_instead_of_continue(view: View, node: ast.AST) -> Iterator[Edit]:
    """End the loop where it would only skip an iteration."""
    if isinstance(node, ast.Continue):
        yield Edit((view.code.replaced(node, "break"),), "stops instead of going on")


def return_at_once(view: View, node: ast.AST) -> Iterator[Edit]:
    """Return a result where a loop sets it, if it is returned directly after the loop."""
    if not isinstance(node, LOOPS):
        return
    block = view.code.block_of(node)
    place = next(number for number, each in enumerate(block) if each is node)
    behind = block[place + 1] if place + 1 < len(block) else None
    if isinstance(behind, ast.Return) and isinstance(behind.value, ast.Name):
        for assigned in ast.walk(node):
            if isinstance(assigned, ast.Assign) and _sets(assigned, behind.value.id):
                change = view.code.replaced(assigned, f"return {view.code.of(assigned.value)}")
                yield Edit((change,), "returns at once")


def _sets(node: ast.Assign, name: str) -> bool:
    target = node.targets[0]
    return isinstance(target, ast.Name) and target.id == name and name not in reads(node.value)


def skip_nothing(view: View, node: ast.AST) -> Iterator[Edit]:
    """Skip an inner loop when an invariant factor of its products is zero."""
    if not isinstance(node, ast.For) or not view.loops_around(node) or not view.code.alone(node):
        return
    altered = scope.changed([node.target, *node.body])
    factors = {
        view.code.of(side): side
        for each in scope.walk(node.body)
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult)
        for side in (each.left, each.right)
        if not isinstance(side, ast.Constant) and not scope.free(side) & altered and scope.pure(side)
    }
    for text in sorted(factors)[:2]:
        whole = f"if {text}:\n" + texts.nested(texts.block_text(view.code, [node]))
        change = texts.window(view.code, [node], whole)
        if change is not None:
            yield Edit((change,), "skips products with zero")


def skip_trivial(view: View, node: ast.AST) -> Iterator[Edit]:
    """Skip a loop over indices if the list has fewer than two elements."""
    if not isinstance(node, ast.For) or view.loops_around(node) or not view.code.alone(node):
        return
    names = sorted(name for name in reads(node.iter) if name not in scope.BUILTINS)
    measured = [
        each for each in ast.walk(node.iter) if isinstance(each, ast.Call) and view.code.of(each).startswith("len")
    ]
    for name in names if measured else []:
        whole = f"if len({name}) > 1:\n" + texts.nested(texts.block_text(view.code, [node]))
        yield Edit(tuple(_present(texts.window(view.code, [node], whole))), "skips short lists")


def _present(change: Change | None) -> list[Change]:
    return [] if change is None else [change]


def _flag_only(match: Match) -> bool:
    return not match.read_elsewhere(match.name("f"))


FLAGS = (
    Rule("a test that ends the loop", "while True:\n    if $c:\n        break\n    $$body",
         "while not $c:\n    $$body"),
    Rule("a flag becomes else",
         "?f = $a\nfor $t in $x:\n    if $c:\n        ?f = $b\n        break\nif ?f:\n    $$then",
         "for $t in $x:\n    if $c:\n        break\nelse:\n    $$then",
         lambda match: _flag_only(match) and getattr(match.expr("a"), "value", None) is True),
)  # fmt: skip

EARLY_EXIT = operator(
    "early_exit", 1.2,
    unchanged_pass, break_when_not, break_when_found, leave_instead_of_continue, return_at_once, skip_nothing,
    skip_trivial, *FLAGS,
)  # fmt: skip
