"""Replace repeated scans for elements of a kind (``F(o) == kind``) by one pass that groups them, and lookups."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.hoisting import repeated
from mendel.breeding.rewrites.rules import Match, Reduction, Rule
from mendel.breeding.view import View, reads, writes

_COUNTER: Final = ("import collections",)
_NOTE: Final = "looked up by what they have in common"


@dataclass(frozen=True)
class Table:
    """Templates: ``made`` creates the table before the loop, ``asked`` looks up a key in the loop."""

    made: str
    asked: str
    imports: tuple[str, ...] = ()


_COUNTS: Final = Table(
    "{table} = collections.Counter({key} for {element} in {source}{only})", "{table}[{sought}]", _COUNTER
)
_TOTALS: Final = Table(
    "{table} = collections.defaultdict(int)\nfor {element} in {source}:\n{only_line}{table}[{key}] += {value}",
    "{table}.get({sought}, 0)",
    _COUNTER,
)
_GROUPS: Final = Table(
    "{table} = {{}}\nfor {element} in {source}:\n{only_line}{table}.setdefault({key}, []).append({value})",
    "list({table}.get({sought}, ()))",
)
_KNOWN: Final = Table("{table} = {{{key} for {element} in {source}{only}}}", "{compared} in {table}")
_TESTS: Final = ("$l == $r", "$c and $l == $r", "$l == $r and $c")


def _scans(patterns: tuple[str, ...], table: Table) -> Iterator[tuple[Reduction, Table]]:
    for pattern in patterns:
        for test in _TESTS:
            yield Reduction("", pattern.replace("TEST", test), ""), table


SCANS: Final = (
    *_scans(
        (
            "len([?e for $t in $x if TEST])",
            "sum(1 for $t in $x if TEST)",
            "sum([1 for $t in $x if TEST])",
            "sum(TEST for $t in $x)",
            "sum(1 if TEST else 0 for $t in $x)",
        ),
        _COUNTS,
    ),
    *_scans(("sum($e for $t in $x if TEST)", "sum([$e for $t in $x if TEST])"), _TOTALS),
    *_scans(("[$e for $t in $x if TEST]",), _GROUPS),
    *_scans(("any(TEST for $t in $x)", "any([TEST for $t in $x])"), _KNOWN),
)


def looked_up(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace a count, sum, list or existence test over the elements of a kind by a lookup in a table made once."""
    if not isinstance(node, ast.Call | ast.ListComp) or not repeated(view, node):
        return
    for rule, table in SCANS:
        for match in rule.found(view, node):
            place = _place(view, node, _needed(match, "lcxe")) if _apart(match) else None
            if place is not None:
                yield _edit(view, node, match, table, place)


def _apart(match: Match) -> bool:
    """Return whether only the left side of the test reads the element; a sum of constants is left to the count."""
    own = writes(match.expr("t"))
    sides = [match.expr(hole) for hole in "lrcxe" if hole in match.bindings]
    counted = "e" in match.bindings and isinstance(match.expr("e"), ast.Constant)
    fits = bool(reads(match.expr("l")) & own) and not reads(match.expr("r")) & own
    return fits and not counted and all(map(scope.pure, sides))


def _place(view: View, node: ast.AST, needed: set[str]) -> ast.stmt | None:
    """Return the outermost loop that does not change the table's inputs, or the statement of a comprehension."""
    steady = []
    for loop in view.loops_around(node):
        if _in_head(loop, node) or needed & scope.changed(loop):
            break
        steady.append(loop)
    place = steady[-1] if steady else view.statement_of(node)
    bound = _comprehended(view, node)
    usable = bool(steady) or not isinstance(place, ast.For | ast.While)
    return place if usable and not needed & bound and view.code.alone(place) and (steady or bound) else None


def _in_head(loop: ast.stmt, node: ast.AST) -> bool:
    return isinstance(loop, ast.For) and any(each is node for each in ast.walk(loop.iter))


def _needed(match: Match, holes: str) -> set[str]:
    """Return the names that a table built from these holes depends on."""
    own = writes(match.expr("t"))
    return {name for hole in holes if hole in match.bindings for name in scope.free(match.expr(hole))} - own


def _comprehended(view: View, node: ast.AST) -> set[str]:
    """Return the names bound by comprehensions and lambdas around a node."""
    found: set[str] = set()
    parent = view.code.parents[node]
    while not isinstance(parent, ast.stmt):
        for part in getattr(parent, "generators", []):
            found |= writes(part.target)
        if isinstance(parent, ast.Lambda):
            found |= {each.arg for each in ast.walk(parent.args) if isinstance(each, ast.arg)}
        parent = view.code.parents[parent]
    return found


def _condition(match: Match) -> str:
    """Return the text of the test's further condition on an element; empty without one."""
    if "c" not in match.bindings:
        return ""
    return texts.atom(match.text("c")) if isinstance(match.expr("c"), ast.IfExp | ast.Lambda) else match.text("c")


def _edit(view: View, node: ast.expr, match: Match, table: Table, place: ast.stmt) -> Edit:
    name = match.fresh("by_key")
    only = _condition(match)
    made = table.made.format(
        table=name,
        key=texts.whole(match.text("l")),
        element=match.text("t"),
        source=texts.atom(match.text("x")),
        only=f" if {only}" if only else "",
        value=match.text("e") if "e" in match.bindings else "",
        only_line=f"    if {only}:\n        " if only else "    ",
    )
    asked = table.asked.format(table=name, sought=match.text("r"), compared=texts.atom(match.text("r")))
    change = texts.swap(view.code, node, texts.fitted(view, node, asked))
    return Edit((view.code.before(place, made), change), _NOTE, table.imports)


_LOOPED: Final = tuple(Rule("", f"for $t in $x:\n    if {test}:\n        $$then", "") for test in _TESTS)


def walked_group(view: View, node: ast.AST) -> Iterator[Edit]:
    """Let an inner loop with a test for a kind walk only the elements of that kind, from groups made once before."""
    if not isinstance(node, ast.For) or node.orelse or not repeated(view, node):
        return
    for rule in _LOOPED:
        for match in rule.found(view, node):
            place = _place(view, node, _needed(match, "lx")) if len(match.nodes) == 1 and _apart(match) else None
            if place is not None and place is not node:
                yield from _grouped(view, node, match, place)


def _grouped(view: View, node: ast.For, match: Match, place: ast.stmt) -> Iterator[Edit]:
    name, target = match.fresh("groups"), match.text("t")
    kept = f"({target})" if isinstance(match.expr("t"), ast.Tuple) and target[0] != "(" else target
    made = (
        f"{name} = {{}}\nfor {target} in {match.text('x')}:\n"
        f"    {name}.setdefault({match.text('l')}, []).append({kept})"
    )
    body = texts.nested(match.body("then"), 2 if "c" in match.bindings else 1)
    test = f"    if {match.text('c')}:\n" if "c" in match.bindings else ""
    loop = f"for {target} in {name}.get({match.text('r')}, ()):\n{test}{body}"
    change = texts.window(view.code, [node], loop)
    if change is not None:
        yield Edit((view.code.before(place, made), change), "those of a kind found through groups")


COUNTED: Final = tuple(
    Rule("counted at once", f"for $t in $x:\n    if {test}:\n        ?n += 1", f"?n += sum(1 for $t in $x if {test})",
         lambda match: match.name("n") not in reads([match.expr(hole) for hole in "lrcx" if hole in match.bindings]))
    for test in _TESTS[:2]
)  # fmt: skip
