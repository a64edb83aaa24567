"""Compute repeated values once: before the loop, in a local, or in a table."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mendel.breeding.code import Edit, Function
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.guarded import guard_of
from mendel.breeding.rewrites.patterns import same
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator
from mendel.breeding.view import COMPREHENSIONS, LOOPS, View, own_nodes, writes

_WORTH: Final = (ast.Call, ast.Attribute, ast.BinOp, ast.Subscript, ast.Compare, *COMPREHENSIONS)


def anchor(view: View, node: ast.AST) -> ast.stmt:
    """Return the outermost loop around a node, or its statement: the place before which values are computed once."""
    around = view.loops_around(node)
    return around[-1] if around else view.statement_of(node)


def repeated(view: View, node: ast.AST) -> bool:
    """Return whether a node may be evaluated more than once per call: in a loop's body or test, or a comprehension."""
    child, parent = node, view.code.parents.get(node)
    while parent is not None and not isinstance(parent, Function):
        in_head = isinstance(parent, ast.For | ast.AsyncFor) and child is parent.iter
        if isinstance(parent, LOOPS) and not in_head:
            return True
        if isinstance(parent, COMPREHENSIONS) and child is not parent.generators[0]:
            return True
        child, parent = parent, view.code.parents.get(parent)
    return False


def equal_ones(nodes: scope.Nodes, node: ast.expr) -> list[ast.expr]:
    """Return all expressions in the nodes that are equal to ``node``, except assignment targets."""
    found = [each for each in scope.walk(nodes) if isinstance(each, ast.expr) and same(each, node)]
    return [each for each in found if not isinstance(getattr(each, "ctx", None), ast.Store | ast.Del)]


def hoisted(view: View, node: ast.AST) -> Iterator[Edit]:
    """Compute a loop-invariant expression before the loop; one that may raise gets a guard."""
    if not isinstance(node, ast.expr) or not _movable(view, node):
        return
    for loop in _invariant_in(view, node):
        parent = view.code.parents[node]  # if the larger expression is invariant too, hoist that one
        if not (isinstance(parent, ast.expr) and _movable(view, parent) and _invariant(parent, loop)):
            guard = guard_of(view, node, loop)
            yield from _before(view, loop, node, _stem(node), "computed before the loop", guard)


def _movable(view: View, node: ast.expr) -> bool:
    """Return whether to name an expression: not a called function, nor a new container that each iteration may need."""
    parent = view.code.parents[node]
    called = isinstance(parent, ast.Call) and parent.func is node
    kept = _is_new(node) and not isinstance(parent, ast.Compare | ast.For | ast.comprehension)
    return _worth(node) and not (called or kept or _is_range(node))


def _is_range(node: ast.expr) -> bool:
    """Return whether it is a range: cheap to create, and other rewrites need to see it in the loop's head."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _is_new(node: ast.expr) -> bool:
    """Return whether it creates a list, set or dict, since each iteration may need its own."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node]
    return any(isinstance(each, ast.List | ast.ListComp | ast.SetComp | ast.DictComp) for each in parts)


def _worth(node: ast.AST) -> bool:
    return isinstance(node, _WORTH) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


def _invariant_in(view: View, node: ast.expr) -> list[ast.stmt]:
    """Return the innermost and the outermost loop in which the node's value is invariant."""
    found: list[ast.stmt] = []
    for loop in view.loops_around(node):
        if isinstance(loop, ast.For | ast.AsyncFor) and any(each is node for each in ast.walk(loop.iter)):
            continue
        if not _invariant(node, loop):
            break
        found.append(loop)
    return list(dict.fromkeys([*found[:1], *found[-1:]]))


def _invariant(node: ast.expr, loop: ast.stmt) -> bool:
    measured = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
    altered = scope.resized(loop) if measured else scope.changed(loop)  # assigning an element keeps the length
    inside = any(
        each is node for outer in ast.walk(loop) if isinstance(outer, COMPREHENSIONS) for each in ast.walk(outer)
    )
    local = _comprehension_names(loop) if inside else set()
    return not scope.free(node) & (altered | local)


def _comprehension_names(node: ast.AST) -> set[str]:
    return scope.bound_inside(node)


def _before(
    view: View, loop: ast.stmt, node: ast.expr, stem: str, note: str, guard: str | None = None
) -> Iterator[Edit]:
    if not view.code.alone(loop):
        return
    name = scope.fresh(view.code, stem)
    # The head of a `for` runs once anyway, so it keeps its expressions.
    skipped = {id(each) for each in ast.walk(loop.iter)} if isinstance(loop, ast.For) else set()
    swaps = [texts.swap(view.code, each, name) for each in equal_ones(loop, node) if id(each) not in skipped]
    text = texts.whole(view.code.of(node))
    if guard is not None:
        yield Edit((view.code.before(loop, f"{name} = {text} if {guard} else None"), *swaps), f"{note}, with a guard")
    yield Edit((view.code.before(loop, f"{name} = {text}"), *swaps), note)


def _stem(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return {"len": "size"}.get(node.func.id, f"{node.func.id}_of")
    return "row" if isinstance(node, ast.Subscript) else "held"


def moved_out(view: View, node: ast.AST) -> Iterator[Edit]:
    """Move a loop's invariant assignments before the loop, all of them at once."""
    if not isinstance(node, ast.For | ast.While) or not view.code.alone(node):
        return
    moved, altered = [], Counter(_altered(node))
    for each in node.body:
        name = _assigned(each)
        if name is not None and altered[name] == 1 and _steady(view, each, {k for k in altered if altered[k]}):
            moved.append(each)
            altered[name] = 0  # now invariant, so that later assignments may depend on it
    if moved:
        removed = [view.code.removed(each) for each in moved]
        lines = "\n".join(_guarded_lines(view, moved, node))
        yield Edit((view.code.before(node, lines), *removed), "assigned before the loop")


def _altered(loop: ast.For | ast.While) -> list[str]:
    """Return the names that a loop binds or changes, repeated for each binding."""
    bound = [each.id for each in ast.walk(loop) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)]
    return [*bound, *sorted(scope.mutated(loop) | scope.slots(loop))]


def _assigned(node: ast.stmt) -> str | None:
    """Return the name of a statement that only assigns a single name; None for others."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    target = node.target if isinstance(node, ast.AnnAssign) and node.value is not None else target
    return target.id if isinstance(target, ast.Name) else None


def _steady(view: View, node: ast.stmt, altered: set[str]) -> bool:
    value = getattr(node, "value", None)
    if not isinstance(value, ast.expr) or isinstance(value, ast.Constant) or scope.free(value) & altered:
        return False
    return scope.pure(value) and texts.has_lines(view.code, node)


def _guarded_lines(view: View, moved: Sequence[ast.stmt], loop: ast.stmt) -> Iterator[str]:
    """Yield the assignments with their guards; a value derived from a guarded one gets the same guard."""
    guards: dict[str, str] = {}
    for node in moved:
        name, value, text = _assigned(node), getattr(node, "value", None), view.code.flush(node)
        if not isinstance(value, ast.expr) or name is None:
            continue
        inherited = [guards[each] for each in sorted(scope.free(value)) if each in guards]
        guard = inherited[0] if inherited else guard_of(view, value, loop)
        if guard is not None and "\n" not in text:
            guards[name] = guard
            text = f"{text} if {guard} else None"
        yield text


def bound_method(view: View, node: ast.AST) -> Iterator[Edit]:
    """Look up a method or a module's function once, before the outermost loop."""
    around = view.loops_around(node)
    called = isinstance(node, ast.Attribute) and getattr(view.code.parents[node], "func", None) is node
    if isinstance(node, ast.Attribute) and called and around:
        for loop in around[-1:]:
            if not scope.free(node.value) & writes(loop) and scope.pure(node.value):
                yield from _before(view, loop, node, node.attr, "looked up before the loop")


def bound_global(view: View, node: ast.AST) -> Iterator[Edit]:
    """Bind a global function to a local before the loop, but no builtin, because patterns recognise these by name."""
    around = view.loops_around(node)
    called = isinstance(node, ast.Name) and getattr(view.code.parents[node], "func", None) is node
    if not (isinstance(node, ast.Name) and called and around):
        return
    if node.id not in scope.chosen_names(view.function_of(node)) | scope.BUILTINS:
        yield from _before(view, around[-1], node, f"local_{node.id}", "looked up before the loop")


def local_cell(view: View, node: ast.AST) -> Iterator[Edit]:
    """Collect ``table[i] += …`` in a local and store it after the loop, if the loop does not change ``i``."""
    around = view.loops_around(node)
    if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Subscript) or not around:
        return
    loop, target = around[0], node.target
    altered = scope.changed([each for each in ast.walk(loop) if each is not target and isinstance(each, ast.Name)])
    if scope.free(target) & altered or not view.code.alone(loop):
        return
    name, text = scope.fresh(view.code, "total"), view.code.of(target)
    others = [each for each in ast.walk(loop) if isinstance(each, ast.expr) and same(each, target)]
    swaps = [texts.swap(view.code, each, name) for each in others]
    made = view.code.before(loop, f"{name} = {text}"), view.code.after(loop, f"{text} = {name}")
    yield Edit((*made, *swaps), "collected in a local")


def shared(view: View, node: ast.AST) -> Iterator[Edit]:
    """Compute an expression once that a statement, or it and the next, contain twice."""
    if not isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr | ast.If) or not view.code.alone(node):
        return
    block = view.code.block_of(node)
    place = next(number for number, each in enumerate(block) if each is node)
    for reach in ([node], block[place : place + 2]):
        for expression in _twice(reach):
            yield _shared(view, node, reach, expression)


def _twice(reach: Sequence[ast.stmt]) -> list[ast.expr]:
    altered = scope.changed(reach[:-1])
    found: list[ast.expr] = []
    for each in own_nodes(reach[0]):
        if isinstance(each, ast.expr) and _worth(each):
            fresh = not any(same(each, known) for known in found) and not scope.free(each) & altered
            bound = scope.bound_inside(reach[0]) & scope.free(each)
            if fresh and not bound and scope.pure(each) and len(equal_ones(reach, each)) > 1:
                found.append(each)
    return found[:3]  # outer expressions come first


def _shared(view: View, node: ast.stmt, reach: Sequence[ast.stmt], expression: ast.expr) -> Edit:
    name = scope.fresh(view.code, _stem(expression))
    made = view.code.before(node, f"{name} = {texts.whole(view.code.of(expression))}")
    swaps = [texts.swap(view.code, each, name) for each in equal_ones(reach, expression)]
    return Edit((made, *swaps), "computed once")


def cached_calls(view: View, node: ast.AST) -> Iterator[Edit]:
    """Cache a function of the file that is called repeatedly, so that it is called once per argument."""
    functions = {name for name, _ in view.code.functions()}
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in functions:
        return
    place = anchor(view, node)
    if not repeated(view, node) or node.keywords or not view.code.alone(place):
        return
    if node.func.id == view.function_of(node).name:  # recursion has its own operators
        return
    name = scope.fresh(view.code, f"cached_{node.func.id}")
    made = view.code.before(place, f"{name} = functools.cache({node.func.id})")
    swaps = [texts.swap(view.code, each, name) for each in scope.loads(place, node.func.id)]
    yield Edit((made, *swaps), "each call made once", ("import functools",))


def _in_place(match: Match) -> bool:
    return not match.read_elsewhere(match.name("v"))


def _test_only(match: Match) -> bool:
    return _in_place(match) and len(scope.loads(match.nodes, match.name("v"))) == 1


INLINED = (
    Rule("returned as it is", "?v = $e\nreturn ?v", "return $e"),
    Rule("tested where it is needed", "?v = $e\nif ?v:\n    $$then", "if $e:\n    $$then", _test_only),
    Rule("tested where it is needed", "?v = $e\nif not ?v:\n    $$then", "if not $e:\n    $$then", _test_only),
    Rule("one line", "?v = $a\n$a = $b\n$b = ?v", "$a, $b = $b, $a", _in_place),
    Rule("used where it is needed", "?v = $e\n$s = $f", "$s = $f",
         lambda match: _in_place(match) and len(scope.loads(match.nodes, match.name("v"))) == 1,
         lambda match: {"f": match.renamed("f", {match.name("v"): texts.atom(match.text("e"))})}),
    Rule("used where it is needed", "?v = $e\nreturn $f", "return $f",
         lambda match: _in_place(match) and len(scope.loads(match.nodes, match.name("v"))) == 1,
         lambda match: {"f": match.renamed("f", {match.name("v"): texts.atom(match.text("e"))})}),
    Reduction("columns by zip", "[[?m[?i][?j] for ?i in range($n)] for ?j in range($k)]",
              "[list(!column) for !column in zip(*?m)]"),
)  # fmt: skip

HOIST = operator("hoist", 2.0, hoisted, moved_out, bound_method, local_cell)
