"""Turn lists used as queues into deques, and repeated scans for a minimum into a heap."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mendel.breeding.code import Change, Edit, Function
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.extremes import IN_ORDER, heap_list, sorted_list
from mendel.breeding.rewrites.patterns import same
from mendel.breeding.rewrites.rules import Match, Rule, operator, then
from mendel.breeding.view import View, body_of, parameters

_DEQUE: Final = "from collections import deque"
_HEAPQ: Final = "import heapq"


def deque_instead(view: View, node: ast.AST) -> Iterator[Edit]:
    """Turn a list with removals or insertions at its front into a deque."""
    name = _front_of(node)
    if not name:
        return
    function = view.function_of(node)
    births = _births(view, function, name)
    fronts = [each for each in ast.walk(function) if isinstance(each, ast.Call) and _front_of(each) == name]
    swaps = [texts.swap(view.code, each, _from_front(view, each, name)) for each in fronts]
    if births:
        returned = [texts.swap(view.code, each, f"list({name})") for each in _returned(view, function, name)]
        yield Edit((*births, *swaps, *returned), "a deque", (_DEQUE,))


def _returned(view: View, function: Function, name: str) -> list[ast.Name]:
    """Return the places where the function returns the name itself; callers still expect a list there."""
    return [each for each in scope.loads(function, name) if isinstance(view.code.parents[each], ast.Return)]


def _front_of(node: ast.AST) -> str | None:
    """Return the name whose front a node pops from or inserts at; None for other nodes."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return None
    first = isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
    at_front = (node.func.attr, len(node.args)) in {("pop", 1), ("insert", 2)} and first
    return node.func.value.id if at_front and isinstance(node.func.value, ast.Name) else None


def _from_front(view: View, call: ast.Call, name: str) -> str:
    return f"{name}.popleft()" if len(call.args) == 1 else f"{name}.appendleft({view.code.of(call.args[1])})"


def _births(view: View, function: Function, name: str) -> list[Change]:
    """Wrap every value assigned to the name in a deque; a parameter's at the start of the function."""
    made: list[Change] = []
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        named = isinstance(targets[0], ast.Name) and targets[0].id == name
        if isinstance(node, ast.Assign | ast.AnnAssign) and named and isinstance(value, ast.expr):
            text = view.code.of(value)
            made.append(texts.swap(view.code, value, "deque()" if text in {"[]", "list()"} else f"deque({text})"))
            made += texts.retyped(view.code, node, "deque")
    first = body_of(function)[0]
    if name in parameters(function) and view.code.alone(first):
        made.append(view.code.before(first, f"{name} = deque({name})"))
    return made


@dataclass(frozen=True)
class Scan:
    """``found = min(source, key=…)``, optionally with a condition on the elements and a default."""

    found: str
    source: ast.expr
    condition: ast.expr | None
    element: str
    key: ast.expr | None
    table: str | None
    default: ast.expr | None


def scan_of(node: ast.AST) -> Scan | None:
    """Return the scan for a minimum by a key that a statement consists of; None for other statements."""
    if not (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    ):
        return None
    call = node.value
    options = {each.arg: each.value for each in call.keywords}
    if not (isinstance(call.func, ast.Name) and call.func.id == "min" and len(call.args) == 1 and "key" in options):
        return None
    key, table, element = _key(options["key"])
    if key is None and table is None:
        return None
    source, condition = _narrowed(call.args[0], element)
    return Scan(ast.unparse(node.targets[0]), source, condition, element, key, table, options.get("default"))


def _key(node: ast.expr) -> tuple[ast.expr | None, str | None, str]:
    """Return the key as an expression of an element, or the table that contains it, and the element's name."""
    if isinstance(node, ast.Lambda) and len(node.args.args) == 1:
        return node.body, None, node.args.args[0].arg
    if isinstance(node, ast.Attribute) and node.attr in {"get", "__getitem__"} and isinstance(node.value, ast.Name):
        return None, node.value.id, "v"
    return None, None, ""


def _narrowed(source: ast.expr, element: str) -> tuple[ast.expr, ast.expr | None]:
    """Return the scanned collection, and the condition on its elements if there is one."""
    if isinstance(source, ast.GeneratorExp | ast.ListComp) and len(source.generators) == 1:
        part = source.generators[0]
        plain = isinstance(part.target, ast.Name) and same(source.elt, part.target) and len(part.ifs) == 1
        if plain and isinstance(part.target, ast.Name) and part.target.id == element:
            return part.iter, part.ifs[0]
    return source, None


def heap_scan(view: View, node: ast.AST) -> Iterator[Edit]:
    """Take the minimum from a heap; elements whose key decreased are pushed again, and stale entries are skipped."""
    scan = scan_of(node)
    loops = view.loops_around(node)
    if scan is None or not isinstance(node, ast.stmt) or not loops or not view.code.alone(loops[0]):
        return
    loop, heap = loops[0], scope.fresh(view.code, "heap")
    if not (isinstance(scan.source, ast.Name) or scan.condition is not None) or not view.code.alone(node):
        return
    pair = f"({_key_text(view, scan, scan.element)}, {scan.element})"
    source = view.code.of(scan.source)
    made = view.code.before(loop, f"{heap} = [{pair} for {scan.element} in {source}]\nheapq.heapify({heap})")
    taken = view.code.replaced(node, _taken(view, scan, heap))
    yield Edit((made, taken, *_pushes(view, scan, loop, heap)), "a heap instead of a scan", (_HEAPQ,))


def _key_text(view: View, scan: Scan, element: str) -> str:
    if scan.key is None:
        return f"{scan.table}[{element}]"
    return texts.text_of(view.code, scan.key, dict.fromkeys(scope.loads(scan.key, scan.element), element))


def _taken(view: View, scan: Scan, heap: str) -> str:
    pop = f"heapq.heappop({heap})[1]"
    if scan.condition is None:
        source = view.code.of(scan.source)
        return f"{scan.found} = {pop}\nwhile {scan.found} not in {source}:\n    {scan.found} = {pop}"
    default = view.code.of(scan.default) if scan.default is not None else "None"
    fits = view.code.of(scan.condition)
    return (
        f"{scan.found} = {default}\nwhile {heap}:\n    {scan.element} = {pop}\n    if {fits}:\n"
        f"        {scan.found} = {scan.element}\n        break"
    )


def _pushes(view: View, scan: Scan, loop: ast.stmt, heap: str) -> Iterator[Change]:
    """Yield a push after every assignment to an element of a table that the key reads."""
    tables = {scan.table} if scan.key is None else scope.free(scan.key)
    for node in ast.walk(loop):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not (isinstance(node, ast.Assign) and isinstance(target, ast.Subscript) and view.code.alone(node)):
            continue
        if isinstance(target.value, ast.Name) and target.value.id in tables:
            slot = view.code.of(target.slice)
            yield view.code.after(node, f"heapq.heappush({heap}, ({_key_text(view, scan, slot)}, {slot}))")


def _mirrored(match: Match) -> bool:
    """Return whether the other side of the comparison is the same key of the best element so far."""
    element, best = match.name("v"), match.name("u")
    turned = match.renamed("k", {element: best})
    return turned == match.text("l")


def _scans() -> Iterator[Rule]:
    start = "?u = $z\nfor ?v in $q:\n    if TEST:\n        ?u = ?v"
    for none in ("?u is None", "?u == $z"):
        one = f"{none} or $k < $l"
        yield Rule(
            "min() by a key", start.replace("TEST", one), "?u = min($q, key=lambda ?v: $k, default=$z)", _mirrored
        )
        yield Rule("min() by a key", start.replace("TEST", f"$c and ({one})"),
                   "?u = min((?v for ?v in $q if $c), key=lambda ?v: $k, default=$z)", _mirrored)  # fmt: skip
    for head in ("?b = $i\n?u = $z", "?u = $z\n?b = $i"):
        for tail in ("?b = $k\n        ?u = ?v", "?u = ?v\n        ?b = $k"):
            yield from _best_so_far(head, tail)


def _best_so_far(head: str, tail: str) -> Iterator[Rule]:
    for test, fits in (("$k < ?b", "$k < $i"), ("$c and $k < ?b", "$c and $k < $i")):
        pattern = f"{head}\nfor ?v in $q:\n    if {test}:\n        {tail}"
        told = f"?u = min((?v for ?v in $q if {fits}), key=lambda ?v: $k, default=$z)"
        yield Rule("min() by a key", pattern, told, lambda match: not match.read_elsewhere(match.name("b")))
        again = "\n?b = $again if ?u is not None else $i"
        yield Rule("min() by a key", pattern, told + again, lambda match: match.read_elsewhere(match.name("b")),
                   lambda match: {"again": match.renamed("k", {match.name("v"): match.name("u")})})  # fmt: skip


def _keyed(match: Match) -> dict[str, str] | None:
    if match.name("w") in scope.changed(match.block("body")):
        return None
    return {"body": match.renamed("body", {match.name("w"): f"{match.name('d')}[{match.name('v')}]"})}


ITEMS = Rule("keys instead of items", "for ?v, ?w in ?d.items():\n    $$body", "for ?v in ?d:\n    $$body", let=_keyed)
SCANS: Final = tuple(_scans())

QUEUE = operator("queue", 2.0, deque_instead)
HEAP = operator(
    "heap", 2.5, heap_scan, heap_list, sorted_list, *SCANS, *(then(scan, heap_scan) for scan in SCANS), ITEMS, *IN_ORDER
)
