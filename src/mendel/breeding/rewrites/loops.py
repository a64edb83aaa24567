"""The shape of loops: counters become ranges, adjacent loops are fused, nested loops swapped, queues iterated."""

from __future__ import annotations

import ast

from mendel.breeding.rewrites import scope
from mendel.breeding.rewrites.elements import elements, inlined_range
from mendel.breeding.rewrites.rules import Match, Reduction, Rule, operator, then
from mendel.breeding.view import reads, writes


def _counts(match: Match) -> bool:
    """Return whether the body changes neither the counter nor its bound, and never skips the step."""
    body = match.block("body")
    bound = scope.free(match.expr("n")) & scope.changed(body)
    return match.name("i") not in writes(body) and not bound and not scope.jumps(body, ast.Continue)


def _quiet_gap(match: Match) -> bool:
    return match.name("i") not in reads(match.block("gap")) | writes(match.block("gap")) and _counts(match)


def _counter(head: str, test: str, step: str, ranged: str) -> Rule:
    pattern = f"?i = {head}\n$$gap\nwhile {test}:\n    $$body\n    {step}"
    return Rule("a counter becomes a range", pattern, f"$$gap\nfor ?i in {ranged}:\n    $$body", _quiet_gap)


COUNTERS = (
    _counter("0", "?i < $n", "?i += 1", "range($n)"),
    _counter("$a", "?i < $n", "?i += 1", "range($a, $n)"),
    _counter("$a", "?i <= $n", "?i += 1", "range($a, $n + 1)"),
    _counter("$a", "?i != $n", "?i += 1", "range($a, $n)"),
    _counter("$a", "?i < $n", "?i += $s", "range($a, $n, $s)"),
    _counter("$a", "?i <= $n", "?i += $s", "range($a, $n + 1, $s)"),
    _counter("$a", "?i > $n", "?i -= 1", "range($a, $n, -1)"),
    _counter("$a", "?i >= $n", "?i -= 1", "range($a, $n - 1, -1)"),
)


def _joinable(match: Match) -> bool:
    source, first = match.expr("x"), match.block("a")
    free = scope.free(source) & scope.changed([*first, *match.block("b")])
    ended = scope.jumps([*first, *match.block("b")], ast.Break, ast.Continue, ast.Return)
    return scope.pure(source) and not free and not ended


def _renaming(match: Match) -> dict[str, str] | None:
    if not _joinable(match):
        return None
    if match.name("s") and match.name("t"):
        return {"b": match.renamed("b", {match.name("t"): match.name("s")})}
    same_target = ast.dump(match.expr("s")) == ast.dump(match.expr("t"))
    return {} if same_target else None


def _independent(match: Match) -> bool:
    targets = writes(match.expr("s")) | writes(match.expr("t"))
    return not reads(match.expr("y")) & targets and not scope.jumps(match.block("body"), ast.Break)


def _drains(match: Match) -> bool:
    """Return whether the rest of the body does not change the list that is emptied."""
    return match.name("x") not in scope.changed([*match.block("before"), *match.block("body")])


def _valued(match: Match) -> dict[str, str] | None:
    body, key, table = match.block("body"), match.name("k"), match.name("d")
    found = [
        node for node in scope.walk(body)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name) and node.value.id == table
        and isinstance(node.slice, ast.Name) and node.slice.id == key
    ]  # fmt: skip
    if not found or table in scope.changed(body) or key in writes(body):
        return None
    return {"body": match.body("body", {node: match.fresh("value") for node in found})}


def _steady(match: Match) -> bool:
    test = match.expr("c")
    inside = [*match.block("a"), *(match.block("b") if "b" in match.bindings else ())]
    return scope.pure(test) and not scope.free(test) & (scope.changed(inside) | writes(match.expr("t")))


SHAPES = (
    Rule("two loops become one", "for $s in $x:\n    $$a\nfor $t in $x:\n    $$b",
         "for $s in $x:\n    $$a\n    $$b", let=_renaming),
    Rule("nested loops swapped", "for $s in $x:\n    for $t in $y:\n        $$body",
         "for $t in $y:\n    for $s in $x:\n        $$body", _independent),
    Rule("a list is walked, not emptied", "while ?x:\n    $$before\n    $v = ?x.pop(0)\n    $$body",
         "for $v in ?x:\n    $$before\n    $$body"),
    Rule("a list is walked, not emptied", "while len(?x) > 0:\n    $$before\n    $v = ?x.pop(0)\n    $$body",
         "for $v in ?x:\n    $$before\n    $$body"),
    Rule("a list is walked, not sliced", "while ?x:\n    $$before\n    $v = ?x[0]\n    ?x = ?x[1:]\n    $$body",
         "for $v in ?x:\n    $$before\n    $$body", _drains),
    Rule("keys() left out", "for $k in $d.keys():\n    $$body", "for $k in $d:\n    $$body"),
    Rule("values come with their keys", "for ?k in ?d:\n    $$body", "for ?k, !value in ?d.items():\n    $$body",
         let=_valued),
    Rule("yield from", "for $t in $x:\n    yield $t", "yield from $x"),
    Rule("a test moves out of the loop", "for $t in $x:\n    if $c:\n        $$a\n    else:\n        $$b",
         "if $c:\n    for $t in $x:\n        $$a\nelse:\n    for $t in $x:\n        $$b", _steady),
    Rule("a test moves out of the loop", "for $t in $x:\n    if $c:\n        $$a",
         "if $c:\n    for $t in $x:\n        $$a", _steady),
)  # fmt: skip


RANGES = (
    Reduction("elements instead of a range", "[?x[?i] for ?i in range($a, $b)]", "?x[$a:$b]"),
    Reduction("all elements", "[?x[?i] for ?i in range(len(?x))]", "?x[:]"),
)

LOOP_SHAPE = operator(
    "loop_shape", 2.0, elements, then(inlined_range, elements), inlined_range, *COUNTERS, *SHAPES, *RANGES
)
