"""Slices, copies and strings: whole pieces at once in place of one element at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator
from mendel.breeding.view import View


def joined(view: View, node: ast.AST) -> Iterator[Edit]:
    """Collect a string that grows in a loop in a list, and join it after the loop."""
    if not isinstance(node, ast.For | ast.While) or not view.code.alone(node):
        return
    grown = {_grown_name(each): each for each in ast.walk(node) if isinstance(each, ast.stmt) and _grown_name(each)}
    for name in sorted(each for each in grown if each is not None):
        # Only if the loop mentions the name nowhere else: until the join, the string is not up to date.
        parts = [each for each in ast.walk(node) if isinstance(each, ast.stmt) and _grown_name(each) == name]
        alone = len(scope.mentions(node, name)) == sum(len(scope.mentions(each, name)) for each in parts)
        if alone and not _is_counted(view, node, name):
            yield from _joined(view, node, name, parts)


def _is_counted(view: View, node: ast.AST, name: str) -> bool:
    """Return whether a number or a list is assigned to the name, so that it cannot be a string."""
    found = [each for each in ast.walk(view.function_of(node)) if isinstance(each, ast.Assign | ast.AnnAssign)]
    for each in found:
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target
        if isinstance(target, ast.Name) and target.id == name:
            number = isinstance(each.value, ast.Constant) and not isinstance(each.value.value, str)
            if number or isinstance(each.value, ast.List):
                return True
    return False


def _grown_name(node: ast.stmt) -> str | None:
    """Return the name to which a statement adds something, at its end or its beginning."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
        return node.target.id
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add):
        target = node.targets[0]
        if isinstance(target, ast.Name) and len(scope.mentions(node.value, target.id)) == 1:
            return target.id
    return None


def _joined(view: View, loop: ast.For | ast.While, name: str, grown: list[ast.stmt]) -> Iterator[Edit]:
    parts = scope.fresh(view.code, "parts")
    added = [_added(view, each, name) for each in grown]
    fronts = {front for _, front in added}
    if len(fronts) != 1 or not all(text for text, _ in added):
        return
    told = f"reversed({parts})" if fronts == {True} else parts
    whole = f'{name} = "".join({told}) + {name}' if fronts == {True} else f'{name} += "".join({told})'
    appended = [
        view.code.replaced(each, f"{parts}.append({text})") for each, (text, _) in zip(grown, added, strict=True)
    ]
    made = view.code.before(loop, f"{parts} = []"), view.code.after(loop, whole)
    yield Edit((*made, *appended), "joined at the end")


def _added(view: View, node: ast.stmt, name: str) -> tuple[str, bool]:
    """Return the text that a statement adds, and whether in front; the text is empty if the form is not recognised."""
    if isinstance(node, ast.AugAssign):
        return view.code.of(node.value), False
    value = node.value if isinstance(node, ast.Assign) else None
    if isinstance(value, ast.BinOp):
        if isinstance(value.left, ast.Name) and value.left.id == name:
            return view.code.of(value.right), False
        if isinstance(value.right, ast.Name) and value.right.id == name:
            return view.code.of(value.left), True
        return _chained(view, value, name), False
    return "", False


def _chained(view: View, value: ast.BinOp, name: str) -> str:
    """Return ``name + a + b`` without the name; empty if the sum does not begin with it."""
    text = view.code.of(value)
    first: ast.expr = value
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
        first = first.left
    plain = isinstance(first, ast.Name) and first.id == name and text.startswith(f"{name} + ")
    return text.removeprefix(f"{name} + ") if plain else ""


def appended(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace ``insert(0, …)`` in a loop by ``append``, and reverse the list after the loop."""
    if not isinstance(node, ast.For | ast.While) or not view.code.alone(node):
        return
    for call in [each for each in ast.walk(node) if isinstance(each, ast.Call) and _inserts(each)]:
        owner = getattr(call.func, "value", None)
        if isinstance(owner, ast.Name) and len(scope.mentions(node, owner.id)) == 1:
            changed = view.code.replaced(call, f"{owner.id}.append({view.code.of(call.args[1])})")
            behind = view.code.after(node, f"{owner.id}.reverse()")
            before = view.code.before(node, f"{owner.id}.reverse()")
            yield Edit((changed, behind), "appended, then reversed")  # right if the list was empty before the loop
            yield Edit((before, changed, behind), "appended, then reversed")


def _inserts(call: ast.Call) -> bool:
    front = len(call.args) == 2 and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
    return front and isinstance(call.func, ast.Attribute) and call.func.attr == "insert"


def _fixed_fill(match: Match) -> bool:
    return isinstance(match.expr("e"), ast.Constant)


def _backwards(match: Match) -> dict[str, str] | None:
    body, index, name = match.block("body"), match.name("i"), match.name("x")
    found = [
        each
        for each in scope.walk(body)
        if isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Load)
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        and isinstance(each.slice, ast.Name)
        and each.slice.id == index
    ]
    if len(found) != len(scope.mentions(body, index)) or name in scope.changed(body):
        return None
    return {"body": match.body("body", dict.fromkeys(found, match.fresh("last")))}


COPIES = (
    Reduction("a copy by slice", "list(?x)", "?x[:]"),
    Reduction("a copy by list", "?x[:]", "list(?x)"),
    Reduction("a copy by method", "list(?x)", "?x.copy()"),
    Reduction("reversed by slice", "list(reversed($x))", "$x[::-1]"),
    Reduction("reversed by slice", "''.join(reversed($x))", "$x[::-1]"),
    Reduction("reversed by slice", "[?x[?i] for ?i in range(len(?x) - 1, -1, -1)]", "?x[::-1]"),
    Rule("copied at once", "for ?i in range($a, $b):\n    ?x[?i] = ?y[?i]", "?x[$a:$b] = ?y[$a:$b]"),
    Rule("copied at once", "for ?i in range($n):\n    ?x[?i] = ?y[?i]", "?x[:$n] = ?y[:$n]"),
    Rule("filled at once", "for ?i in range($n):\n    ?x[?i] = $e", "?x[:$n] = [$e] * $n", _fixed_fill),
    Rule("filled at once", "for ?i in range($a, $n, $s):\n    ?x[?i] = $e",
         "?x[$a:$n:$s] = [$e] * len(range($a, $n, $s))", _fixed_fill),
    Rule("backwards", "for ?i in range(len(?x) - 1, -1, -1):\n    $$body", "for !last in reversed(?x):\n    $$body",
         let=_backwards),
    Rule("compared with its reverse",
         "for ?i in range($n):\n    if ?x[?i] != ?x[$m]:\n        return False\nreturn True", "return ?x == ?x[::-1]"),
    Rule("compared with its reverse",
         "?i = 0\n?j = len(?x) - 1\nwhile ?i < ?j:\n    if ?x[?i] != ?x[?j]:\n        return False\n"
         "    ?i += 1\n    ?j -= 1\nreturn True", "return ?x == ?x[::-1]"),
)  # fmt: skip


def _at_the_end(match: Match) -> bool:
    """Return whether the addition is at the end: patterns match swapped sides, but lists and strings do not commute."""
    (node,) = match.nodes
    value = getattr(node, "value", None)
    return isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and value.left.id == match.name("x")


def _listed(match: Match) -> bool:
    return _at_the_end(match) and not scope.is_text(match.expr("e"))


GROWING = (
    Rule("appended", "?x = ?x + [$e]", "?x.append($e)", _at_the_end),
    Rule("appended", "?x += [$e]", "?x.append($e)"),
    Rule("put in front", "?x = [$e] + ?x", "?x.insert(0, $e)", lambda match: not _at_the_end(match)),
    Rule("extended", "?x = ?x + $e", "?x += $e", _at_the_end),
    Rule("extended", "?x = ?x + $e", "?x.extend($e)", _listed),
    Rule("added in place", "?x = ?x | $e", "?x |= $e"),
    Rule("added to the set", "?x = ?x | {$e}", "?x.add($e)"),
)


STARTS = "?s.startswith(?p, $i)"
SLICED = "?s[$i:$i + len(?p)] == ?p"


def _comparisons() -> Iterator[Rule]:
    """Compare pieces in place of single elements: strings by ``startswith``, any sequence by a slice."""
    test = "?s[$i + ?j] != ?p[?j]"
    for told in (STARTS, SLICED):
        for leave in ("\n        break", ""):
            loop = f"?f = True\nfor ?j in range($m):\n    if {test}:\n        ?f = False{leave}"
            yield Rule("compared at once", loop, f"?f = {told}")
        walked = f"for ?j in range($m):\n    if {test}:\n        break\nelse:\n    $$then"
        yield Rule("compared at once", walked, f"if {told}:\n    $$then")
        stepped = "?j = 0\nwhile ?j < $m and ?s[$i + ?j] == ?p[?j]:\n    ?j += 1\nif ?j == $m:\n    $$then"
        yield Rule("compared at once", stepped, f"if {told}:\n    $$then")
        counted = "?j = 0\nfor ?j in range($m):\n    if ?s[$i + ?j] != ?p[?j]:\n        break\n    ?j += 1"
        yield Rule("compared at once", f"{counted}\nif ?j == $m:\n    $$then", f"if {told}:\n    $$then")
        counted = "?c = 0\nfor ?j in range($m):\n    if ?s[$i + ?j] == ?p[?j]:\n        ?c += 1"
        for leave in ("\n    else:\n        break", ""):
            yield Rule("compared at once", f"{counted}{leave}\nif ?c == $m:\n    $$then", f"if {told}:\n    $$then")


FOUND = tuple(
    Rule("found by find()", f"for ?i in range($n):\n    if {test}:\n        return ?i\nreturn -1",
         "return ?s.find(?p)")
    for test in ("?s.startswith(?p, ?i)", "?s[?i:$z] == ?p")
)  # fmt: skip
EVERY = tuple(
    Rule("one find after the other", f"for ?i in range($n):\n    if {test}:\n        $$then",
         "?i = ?s.find(?p)\nwhile ?i != -1:\n    $$then\n    ?i = ?s.find(?p, ?i + 1)",
         lambda match: not scope.jumps(match.block("then"), ast.Continue))
    for test in ("?s.startswith(?p, ?i)", "?s[?i:$z] == ?p")
)  # fmt: skip
ANYWHERE = (
    Reduction("in", "any(?s.startswith(?p, ?i) for ?i in range($n))", "?p in ?s"),
    Reduction("in", "any(?s[?i:$z] == ?p for ?i in range($n))", "?p in ?s"),
    Reduction("found by find()", "next((?i for ?i in range($n) if ?s.startswith(?p, ?i)), -1)",
              "?s.find(?p)"),
    Reduction("a prefix", "?s[:len(?p)] == ?p", "?s.startswith(?p)"),
    Reduction("a piece", "?s[$i:$i + $m] == ?p", STARTS),
    Reduction("equal elements at once", "all(?x[?i] == ?y[?i] for ?i in range($n))", "?x[:$n] == ?y[:$n]"),
    Reduction("equal elements at once", "not any(?x[?i] != ?y[?i] for ?i in range($n))", "?x[:$n] == ?y[:$n]"),
)  # fmt: skip

SLICE = operator("slice", 2.0, appended, *COPIES, *GROWING)
STRINGS = operator("strings", 2.0, joined, *_comparisons(), *FOUND, *EVERY, *ANYWHERE)
