"""Parsing of any text: a text that the parser or the compiler rejects becomes a complaint.

Rejected: a recursive visitor here. A tree below ``MOST_DEPTH`` can be visited recursively by later code within the
interpreter's own limit, but the check of that depth must not depend on the limit.
"""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from mendel.contracts.lint import LintCode
from mendel.ports.lint.scopes import SILENT
from mendel.ports.lint.sources import Complaint, Place, Source, shown
from mendel.ports.syntax import module_tree, steadily

MOST_DEPTH: Final = 200
"""Maximum depth of a tree; a chain of ``elif`` counts once."""

MOST_KEYWORDS: Final = 500
"""Maximum number of keywords of one call: the compiler compares every pair."""

MOST_NODES: Final = 50_000
"""Maximum size of a tree; the standard library's largest module of algorithms has fewer nodes."""

MOST_DEFINITIONS: Final = 2_000
"""Maximum number of functions, classes, lambdas and comprehensions: the compiler compares those that look alike."""


_SILENCE: Final = threading.Lock()
"""Serialises changes of the warning filters, which belong to the process: two threads at once would corrupt them."""

_DEFINITIONS: Final = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Parsed(NamedTuple):
    """A tree, or the reason why there is none."""

    tree: ast.Module | None
    complaint: Complaint | None


def parse(source: Source) -> Parsed:
    """Return the tree of ``source``, limited in depth and accepted by the compiler. Never raises and never warns."""
    with _SILENCE, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree, complaint = _guarded(source, ast.parse)
        if tree is None:
            return Parsed(None, complaint)
        complaint = _bounds(source, tree) or _guarded(source, partial(_accepted, tree)).complaint
    return Parsed(None if complaint else tree, complaint)


def _guarded(source: Source, step: Callable[[str], ast.Module]) -> Parsed:
    try:
        return Parsed(steadily(lambda: step(source.text)), None)
    except SyntaxError as error:
        return Parsed(None, _syntax(source, error))
    except (RecursionError, MemoryError):  # the parser's own limits of nesting
        return Parsed(None, _deep())
    except (ValueError, OverflowError, SystemError) as error:
        message = f"the text cannot be compiled: {shown(str(error))}"
        return Parsed(None, Complaint(LintCode.SYNTAX_ERROR, Place(1, 1), message, "write it in a simpler way"))


def _accepted(tree: ast.Module, text: str) -> ast.Module:
    """Compile the tree, to reject what only the grammar allows: a ``return`` outside a function, a late ``global``.

    The compiler copies the body of a ``finally`` to each exit of its ``try``, which grows without bound if nested.
    Therefore every such body is first moved behind its statement, in a second tree, where it is compiled once.
    """
    compiled = _flattened(module_tree(text)) if "finally" in text else tree
    steadily(lambda: compile(compiled, "<candidate>", "exec", dont_inherit=True))
    return tree


def _flattened(tree: ast.Module) -> ast.Module:
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list):
                block[:] = _without_finally(block)
        stack.extend(ast.iter_child_nodes(node))
    return tree


def _without_finally(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in block:
        yield statement
        if isinstance(statement, ast.Try | ast.TryStar) and statement.finalbody:
            moved, statement.finalbody = statement.finalbody, [ast.copy_location(ast.Pass(), statement)]
            yield from _without_finally(moved)


def _syntax(source: Source, error: SyntaxError) -> Complaint:
    place = source.within(error.lineno or 1, (error.offset or 1) - 1)
    message = shown(error.msg or "invalid syntax")
    return Complaint(LintCode.SYNTAX_ERROR, place, message, "correct the syntax here, or just before this place")


def _deep(place: Place | None = None) -> Complaint:
    message = f"the code nests deeper than {MOST_DEPTH} levels"
    hint = "split long chains and nested blocks into named parts"
    return Complaint(LintCode.SOURCE_TOO_DEEP, place or Place(1, 1), message, hint)


def _bounds(source: Source, tree: ast.Module) -> Complaint | None:
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    nodes = definitions = 0
    while stack:
        node, depth = stack.pop()
        nodes += 1
        definitions += isinstance(node, _DEFINITIONS)
        if depth > MOST_DEPTH:
            return _deep(_place(source, node))
        if nodes > MOST_NODES or definitions > MOST_DEFINITIONS:
            return _large(f"the code has more than {MOST_NODES:,} parts or {MOST_DEFINITIONS:,} definitions")
        if _keywords(node) > MOST_KEYWORDS:
            return _large(f"more than {MOST_KEYWORDS} keywords in one place", _place(source, node))
        children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, SILENT)]
        stack.extend((child, depth + _step(node, child)) for child in children)
    return None


def _step(node: ast.AST, child: ast.AST) -> int:
    """Return how much deeper ``child`` is: an ``elif`` does not count, since it reads as the same level."""
    return not (isinstance(child, ast.If) and isinstance(node, ast.If) and node.orelse == [child])


def _keywords(node: ast.AST) -> int:
    if isinstance(node, ast.Call | ast.ClassDef):
        return len(node.keywords)
    return len(node.kwd_attrs) if isinstance(node, ast.MatchClass) else 0


def _large(message: str, place: Place | None = None) -> Complaint:
    hint = "keep what is needed; put data into one literal, or compute it"
    return Complaint(LintCode.SOURCE_TOO_LARGE, place or Place(1, 1), message, hint)


def _place(source: Source, node: ast.AST) -> Place | None:
    line = getattr(node, "lineno", None)
    return None if line is None else source.place(line, getattr(node, "col_offset", 0))
