"""Turn loops over indices that only fetch elements into loops over the elements, zipped if there are several lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mendel.breeding.code import Change, Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.patterns import same
from mendel.breeding.view import COMPREHENSIONS, View


@dataclass(frozen=True)
class Span:
    """A loop over a range: its variable, its bounds, and the nodes evaluated in it."""

    index: str
    start: ast.expr | None
    stop: ast.expr
    target: ast.Name
    source: ast.expr
    covered: tuple[ast.AST, ...]


@dataclass(frozen=True)
class Fetch:
    """A read of ``base[index + offset]``."""

    node: ast.Subscript
    base: ast.expr
    offset: int


def span_of(node: ast.AST) -> Iterator[Span]:
    """Yield the loops over a range that a node consists of."""
    if isinstance(node, ast.For) and not node.orelse:
        yield from _span(node.target, node.iter, tuple(node.body))
    elif isinstance(node, COMPREHENSIONS):
        for place, part in enumerate(node.generators):
            covered = [*part.ifs, *node.generators[place + 1 :], *_results(node)]
            yield from _span(part.target, part.iter, tuple(covered))


def _results(node: ast.expr) -> list[ast.expr]:
    return [node.key, node.value] if isinstance(node, ast.DictComp) else [getattr(node, "elt", node)]


def _span(target: ast.expr, source: ast.expr, covered: tuple[ast.AST, ...]) -> Iterator[Span]:
    counted = isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range"
    if not (counted and isinstance(source, ast.Call) and isinstance(target, ast.Name)):
        return
    if len(source.args) == 1:
        yield Span(target.id, None, source.args[0], target, source, covered)
    elif len(source.args) == 2:
        yield Span(target.id, source.args[0], source.args[1], target, source, covered)


def elements(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace ``for i in range(len(x))`` with ``x[i]`` by ``for v in x``, or ``enumerate`` if ``i`` is needed too."""
    for span in span_of(node):
        fetched = list(_fetches(span))
        if not fetched:
            continue
        used = len(scope.mentions(span.covered, span.index))
        if used == len(fetched) and not _read_behind(view, node, span):
            yield from _side_by_side(view, span, fetched)
        else:
            yield from _numbered(view, span, fetched)


def _read_behind(view: View, node: ast.AST, span: Span) -> bool:
    """Return whether the index is read after the loop before it is bound again."""
    if not isinstance(node, ast.For):
        return False
    inside = {id(each) for each in ast.walk(node)}
    later = [each for each in scope.mentions(view.function_of(node), span.index) if id(each) not in inside]
    later = [each for each in later if each.lineno > (node.end_lineno or node.lineno)]
    return bool(later) and isinstance(min(later, key=lambda each: (each.lineno, each.col_offset)).ctx, ast.Load)


def _fetches(span: Span) -> Iterator[Fetch]:
    altered = scope.changed(span.covered) | {span.index} | _comprehended(span)
    for node in scope.walk(span.covered):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and scope.pure(node.value):
            offset = _offset(node.slice, span.index)
            if offset is not None and not scope.free(node.value) & altered:
                yield Fetch(node, node.value, offset)


def _comprehended(span: Span) -> set[str]:
    """Return the loop variables of comprehensions in the covered part."""
    found: set[str] = set()
    for node in span.covered:
        found |= scope.bound_inside(node)
        if isinstance(node, ast.comprehension):
            found |= {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
    return found


def _offset(place: ast.expr, index: str) -> int | None:
    if isinstance(place, ast.Name) and place.id == index:
        return 0
    if not (isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add | ast.Sub)):
        return None
    left, right = place.left, place.right
    named = isinstance(left, ast.Name) and left.id == index
    if named and isinstance(right, ast.Constant) and type(right.value) is int:
        return right.value if isinstance(place.op, ast.Add) else -right.value
    return None


def _bases(fetched: list[Fetch]) -> list[list[Fetch]]:
    """Group fetches of the same element."""
    groups: list[list[Fetch]] = []
    for each in fetched:
        known = (group for group in groups if group[0].offset == each.offset and same(group[0].base, each.base))
        group = next(known, None)
        if group is None:
            groups.append([each])
        else:
            group.append(each)
    return groups


def _side_by_side(view: View, span: Span, fetched: list[Fetch]) -> Iterator[Edit]:
    groups = _bases(fetched)
    names = _fresh_names(view, groups)
    changes = [
        texts.swap(view.code, each.node, name) for name, group in zip(names, groups, strict=True) for each in group
    ]
    sources = [_source(view, span, group[0], bounded=False) for group in groups]
    bounded = [_source(view, span, group[0], bounded=True) for group in groups]
    # The range may end before the lists do: both the unbounded and the bounded version are worth a try.
    for given in dict.fromkeys([tuple(sources), tuple(bounded)]):
        if all(each is not None for each in given):
            head = _head(view, span, names, [each for each in given if each is not None])
            yield Edit((*head, *changes), "elements instead of indices")


def _fresh_names(view: View, groups: list[list[Fetch]]) -> list[str]:
    names: list[str] = []
    for group in groups:
        stem = group[0].base.id[:1] if isinstance(group[0].base, ast.Name) else "v"
        names.append(scope.fresh(view.code, f"{stem}_at", names))
    return names


def _head(view: View, span: Span, names: list[str], sources: list[str]) -> tuple[Change, Change]:
    target = ", ".join(names)
    source = sources[0] if len(sources) == 1 else f"zip({', '.join(sources)})"
    return texts.swap(view.code, span.target, target), texts.swap(view.code, span.source, source)


def _source(view: View, span: Span, fetch: Fetch, *, bounded: bool) -> str | None:
    """Return the slice to loop over for a fetch; None if it would begin before the first element."""
    base = texts.atom(view.code.of(fetch.base))
    start = _start(view, span, fetch.offset)
    if start is None:
        return None
    stop = ""
    if bounded and not _is_length(span.stop, fetch.base):
        text = view.code.of(span.stop)
        sign = "+" if fetch.offset > 0 else "-"
        stop = f"{text} {sign} {abs(fetch.offset)}" if fetch.offset else text
    start = "" if start == "0" else start
    return f"{base}[{start}:{stop}]" if start or stop else base


def _start(view: View, span: Span, offset: int) -> str | None:
    if span.start is None or (isinstance(span.start, ast.Constant) and type(span.start.value) is int):
        first = offset + (int(str(span.start.value)) if isinstance(span.start, ast.Constant) else 0)
        return str(first) if first >= 0 else None  # a negative start would count from the end
    text = view.code.of(span.start)
    return f"{text} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else text


def _is_length(stop: ast.expr, base: ast.expr) -> bool:
    length = isinstance(stop, ast.Call) and isinstance(stop.func, ast.Name) and stop.func.id == "len"
    return isinstance(stop, ast.Call) and length and len(stop.args) == 1 and same(stop.args[0], base)


def _numbered(view: View, span: Span, fetched: list[Fetch]) -> Iterator[Edit]:
    plain = [group for group in _bases(fetched) if group[0].offset == 0]
    if span.start is not None or not plain:
        return
    for group in plain[:2]:
        (name,) = _fresh_names(view, [group])
        source = f"enumerate({view.code.of(group[0].base)})"
        head = texts.swap(view.code, span.target, f"{span.index}, {name}"), texts.swap(view.code, span.source, source)
        yield Edit((*head, *(texts.swap(view.code, each.node, name) for each in group)), "enumerate instead of indices")


def inlined_range(view: View, node: ast.AST) -> Iterator[Edit]:
    """Replace a name that is bound once, to a range, by the range itself wherever it is used."""
    named = isinstance(node, ast.Name) and isinstance(view.code.parents[node], ast.For | ast.comprehension)
    if not (isinstance(node, ast.Name) and named and isinstance(node.ctx, ast.Load)):
        return
    birth = _range_of(view, node)
    used = scope.loads(view.function_of(node), node.id)
    if birth is not None and isinstance(birth.value, ast.Call) and texts.has_lines(view.code, birth):
        swaps = [texts.swap(view.code, each, view.code.of(birth.value)) for each in used]
        yield Edit((view.code.removed(birth), *swaps), "a range where it is walked")


def _range_of(view: View, node: ast.Name) -> ast.Assign | None:
    """Return a name's only binding if it assigns a range with arguments that do not change afterwards."""
    function = view.function_of(node)
    births = [
        each for each in ast.walk(function) if isinstance(each, ast.Assign) and scope.mentions(each.targets, node.id)
    ]
    bound = [each for each in scope.mentions(function, node.id) if not isinstance(each.ctx, ast.Load)]
    if len(births) != 1 or len(bound) != 1 or not isinstance(births[0].targets[0], ast.Name):
        return None
    called = births[0].value.func if isinstance(births[0].value, ast.Call) else None
    later = [each for each in ast.walk(function) if getattr(each, "lineno", 0) > births[0].lineno]
    steady = not scope.free(births[0].value) & scope.resized([each for each in later if isinstance(each, ast.stmt)])
    return births[0] if isinstance(called, ast.Name) and called.id == "range" and steady else None
