"""Speed up searches in a list by an additional set, dict or Counter, or by turning the list into a set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Change, Edit, Function
from mendel.breeding.rewrites import hashing, scope, texts
from mendel.breeding.rewrites.hoisting import repeated
from mendel.breeding.rewrites.rules import Match, Rule, operator
from mendel.breeding.view import View, body_of, parameters, reads, writes

_COMPANION: Final = {"append": "add", "add": "add", "extend": "update", "remove": "discard"}
_PLAIN_USES: Final = frozenset({"len", "min", "max", "sum", "any", "all", "sorted", "set", "bool", "list", "enumerate"})


def searched(node: ast.AST) -> str | None:
    """Return the name of the container in a membership test; None for other nodes."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        held = node.comparators[0]
        return held.id if isinstance(held, ast.Name) else None
    return None


def steady_place(view: View, node: ast.AST, name: str) -> ast.stmt | None:
    """Return the outermost loop around the node that keeps a name's value, or else the node's statement."""
    if not repeated(view, node):
        return None
    steady = [loop for loop in view.loops_around(node) if name not in scope.changed(loop)]
    place = steady[-1] if steady else view.statement_of(node)
    usable = steady or (not isinstance(place, ast.For | ast.While) and not view.loops_around(node))
    return place if usable and view.code.alone(place) else None


def _tests(piece: scope.Nodes, name: str) -> list[ast.Name]:
    """Return the names in membership tests of ``name``."""
    found = [node for node in scope.walk(piece) if isinstance(node, ast.Compare) and searched(node) == name]
    return [node.comparators[0] for node in found if isinstance(node.comparators[0], ast.Name)]


def searched_list(view: View, node: ast.AST) -> str | None:
    """Return the name of a container that a test searches, unless it clearly is hashed or has unhashable elements."""
    name = searched(node)
    if name is None:
        return None
    function = view.function_of(node)
    values = [each.value for each in _bindings(function, name)]
    fits = not any(_is_hashed(value) for value in values) and not hashing.holds_unhashable(function, name)
    return name if fits and isinstance(node, ast.Compare) and _can_be_sought(function, node.left, name) else None


def _can_be_sought(function: Function, left: ast.expr, name: str) -> bool:
    """Return whether the same test is possible on a set, as far as the text shows."""
    return not hashing.unhashable(function, left) and not hashing.substring(function, left, name)


def _is_hashed(value: ast.expr | None) -> bool:
    called = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    made = isinstance(value, ast.Call) and called and ast.unparse(value.func) in {"set", "dict", "frozenset"}
    return made or isinstance(value, ast.Set | ast.Dict | ast.SetComp | ast.DictComp)


def set_before(view: View, node: ast.AST) -> Iterator[Edit]:
    """Create a set before a loop that searches a list without changing it."""
    name = searched_list(view, node)
    place = steady_place(view, node, name) if name else None
    if name and place is not None:
        known = scope.fresh(view.code, f"{name}_set")
        swaps = [texts.swap(view.code, each, known) for each in _tests(place, name)]
        yield Edit((view.code.before(place, f"{known} = set({name})"), *swaps), "looked up in a set")


def set_beside(view: View, node: ast.AST) -> Iterator[Edit]:
    """Keep a set next to a list that grows while it is searched."""
    name = searched_list(view, node)
    if not name:
        return
    function, known = view.function_of(node), scope.fresh(view.code, f"{name}_set")
    steps = _companions(view, function, name, known)
    births = _births(view, function, name, f"{known} = set({name})")
    if steps and births:
        swaps = [texts.swap(view.code, each, known) for each in _tests(function, name)]
        yield Edit((*births, *steps, *swaps), "a set beside the list")


def _births(view: View, function: Function, name: str, text: str) -> list[Change]:
    """Insert ``text`` after every assignment of the name, and at the start if it is a parameter."""
    found = _bindings(function, name)
    made = [view.code.after(each, text) for each in found if view.code.alone(each)]
    first = body_of(function)[0]
    if name in parameters(function) and view.code.alone(first):
        made.append(view.code.before(first, text))
    return made if len(made) >= len(found) else []  # all assignments or none: the set must never be out of date


def _bindings(function: Function, name: str) -> list[ast.Assign | ast.AnnAssign]:
    """Return the assignments of a name."""
    found = [each for each in ast.walk(function) if isinstance(each, ast.Assign | ast.AnnAssign)]
    return [each for each in found if _binds(each, name)]


def _binds(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _companions(view: View, function: Function, name: str, known: str) -> list[Change]:
    """Return the updates of the set after every change of the list; empty if one of them cannot be mirrored."""
    made: list[Change] = []
    for node in ast.walk(function):
        method = _method(node, name)
        if method is None or method[0] in scope.PURE_METHODS:
            continue
        statement = view.statement_of(node)
        followed = method[0] in _COMPANION and len(method[1].args) == 1 and scope.pure(method[1].args[0])
        if not followed or not isinstance(statement, ast.Expr) or not view.code.alone(statement):
            return []
        if method[0] == "remove" and hashing.grows_freely(view, function, name):
            return []  # the list may contain the element twice
        text = f"{known}.{_COMPANION[method[0]]}({view.code.of(method[1].args[0])})"
        made.append(view.code.after(statement, text))
    return made


def _method(node: ast.AST, name: str) -> tuple[str, ast.Call] | None:
    """Return the method that a node calls on a name, and the call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        if isinstance(owner, ast.Name) and owner.id == name:
            return node.func.attr, node
    return None


def set_instead(view: View, node: ast.AST) -> Iterator[Edit]:
    """Turn a list into a set if only its membership, size and elements are used."""
    name = searched_list(view, node) or _removed_from(node)
    function = view.function_of(node) if name else None
    if not name or function is None or name in parameters(function) or hashing.holds_unhashable(function, name):
        return
    births = [
        each for each in ast.walk(function) if isinstance(each, ast.Assign | ast.AnnAssign) and _binds(each, name)
    ]
    uses = [_use(view, each) for each in scope.loads(function, name)]
    if len(births) != 1 or _is_hashed(births[0].value):
        return
    if births[0].value is None or _twice_matters(view, function, name, births[0].value):
        return
    if all(use is not None for use in uses):
        changes = [change for use in uses for change in use or []] + texts.retyped(view.code, births[0], "set")
        yield Edit((view.code.replaced(births[0].value, _as_set(view, births[0].value)), *changes), "a set, no list")


def _twice_matters(view: View, function: Function, name: str, birth: ast.expr) -> bool:
    """Return whether duplicates matter: the list clearly has some, or may have some and its use depends on them."""
    if hashing.repeats(birth):
        return True
    return hashing.counted(view, function, name) and hashing.grows_freely(view, function, name)


def _removed_from(node: ast.AST) -> str | None:
    method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "remove"
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    return owner.id if method and isinstance(owner, ast.Name) else None


def _use(view: View, node: ast.Name) -> list[Change] | None:
    """Return the changes at a use of the list that make it work on a set; None if there are none."""
    parent = view.code.parents[node]
    if isinstance(parent, ast.Attribute) and parent.attr in {"append", "remove", "add", "discard", "update", "extend"}:
        renamed = {"append": "add", "extend": "update"}.get(parent.attr)
        return [view.code.replaced(parent, f"{node.id}.{renamed}")] if renamed else []
    called = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in _PLAIN_USES
    tested = isinstance(parent, ast.While | ast.If | ast.UnaryOp | ast.BoolOp) or searched(parent) == node.id
    looped = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
    return [] if called or tested or looped else None


def _as_set(view: View, value: ast.expr) -> str:
    text = view.code.of(value)
    if isinstance(value, ast.List):
        return "{" + text[1:-1] + "}" if value.elts else "set()"
    if isinstance(value, ast.ListComp):
        return "{" + text[1:-1] + "}"
    listed = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "list"
    return "set" + text.removeprefix("list") if listed else f"set({text})"


def table_before(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace ``x.index(…)`` and ``x.count(…)`` in a loop by lookups in a table created before it."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1):
        return
    owner, kind = node.func.value, node.func.attr
    if not isinstance(owner, ast.Name) or kind not in {"index", "count"}:
        return
    function = view.function_of(node)
    if hashing.holds_unhashable(function, owner.id) or hashing.unhashable(function, node.args[0]):
        return
    place = steady_place(view, node, owner.id)
    if place is not None:
        yield from _tabled(view, place, owner.id, kind)


def _tabled(view: View, place: ast.stmt, name: str, kind: str) -> Iterator[Edit]:
    table = scope.fresh(view.code, "counts" if kind == "count" else "places")
    made = {  # reversed, so that the first of several equal elements counts, as for `index`
        "count": f"{table} = collections.Counter({name})",
        "index": f"{table} = {{v: n for n, v in reversed(list(enumerate({name})))}}",
    }[kind]
    found = [each for each in ast.walk(place) if (_method(each, name) or ("",))[0] == kind]
    calls = [each for each in found if isinstance(each, ast.Call) and len(each.args) == 1]
    swaps = [texts.swap(view.code, each, f"{table}[{view.code.of(each.args[0])}]") for each in calls]
    imports = ("import collections",) if kind == "count" else ()
    yield Edit((view.code.before(place, made), *swaps), f"a table for {kind}", imports)


def _only_compared(match: Match) -> bool:
    inner = match.name("b")
    then = match.block("then")
    outside = reads([match.expr("e"), *then])
    return inner not in outside and not scope.jumps(then, ast.Continue) and _once_is_enough(then)


def _once_is_enough(block: tuple[ast.stmt, ...]) -> bool:
    """Return whether repeating the block has no effect: it leaves the loop, or has no ``+=`` and no mutating call."""
    if scope.jumps(block, ast.Break, ast.Return):
        return True
    return not scope.mutated(block) and not any(isinstance(each, ast.AugAssign) for each in scope.walk(block))


EQUAL_PAIRS: Final = (
    Rule("in", "for ?b in $y:\n    if ?b == $e:\n        $$then", "if $e in $y:\n    $$then", _only_compared),
    Rule("as often as it is there", "for ?b in $y:\n    if ?b == $e:\n        ?c += 1", "?c += $y.count($e)",
         lambda match: match.name("b") not in reads(match.expr("e"))),
    Rule("each once", "for ?b in $y:\n    if ?b not in ?o:\n        ?o.append(?b)",
         "?o.extend(dict.fromkeys(!v for !v in $y if !v not in ?o))",
         lambda match: not hashing.holds_unhashable(match.function, match.name("o"))),
)  # fmt: skip


def _fits(match: Match) -> bool:
    gap = match.block("gap")
    apart = match.name("o") not in reads(gap) | writes(gap) | reads(match.expr("x"))
    return apart and not hashing.holds_unhashable(match.function, match.name("o"))


ONCE: Final = (
    Rule("each once, in order", "?o = []\n$$gap\nfor ?v in $x:\n    if ?v not in ?o:\n        ?o.append(?v)",
         "$$gap\n?o = list(dict.fromkeys($x))", _fits),
    Rule("each once, in order",
         "?o = []\n$$gap\nfor ?v in $x:\n    if ?v in ?o:\n        continue\n    ?o.append(?v)",
         "$$gap\n?o = list(dict.fromkeys($x))", _fits),
    Rule("each once, in order", "?o = []\n$$gap\nfor ?v in $x:\n    if ?o.count(?v) == 0:\n        ?o.append(?v)",
         "$$gap\n?o = list(dict.fromkeys($x))", _fits),
    Rule("each key once", "?o = []\n$$gap\nfor ?v in $x:\n    if $e not in ?o:\n        ?o.append($e)",
         "$$gap\n?o = list(dict.fromkeys($e for ?v in $x))", _fits),
    Rule("each once, by a flag",
         "?o = []\n$$gap\nfor ?v in $x:\n    ?f = False\n    for ?w in ?o:\n        if ?w == ?v:\n"
         "            ?f = True\n            break\n    if not ?f:\n        ?o.append(?v)",
         "$$gap\n?o = list(dict.fromkeys($x))", _fits),
)  # fmt: skip

SET_LOOKUP = operator("set_lookup", 2.5, set_before, set_beside, set_instead, table_before, *EQUAL_PAIRS)
DEDUPE = operator("dedupe", 2.0, *ONCE)
