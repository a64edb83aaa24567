"""Write parts of a program: replace pieces of their text, add required brackets, and indent blocks."""

from __future__ import annotations

import ast
import itertools
import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from mendel.breeding.code import BRED, Change, Code, Located
from mendel.breeding.view import View
from mendel.ports.syntax import expression_tree

Swaps = Mapping[ast.expr | ast.stmt, str]
_ATOMS: Final = (
    ast.Name,
    ast.Call,
    ast.Subscript,
    ast.Attribute,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
)
_OPERATORS: Final = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Starred, ast.Await, ast.IfExp)
STEP: Final = "    "


def indented(text: str, indent: str) -> str:
    """Indent every line of the text except the first."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(indent + line if line.strip() else line for line in rest)])


def nested(text: str, depth: int = 1) -> str:
    """Indent every line of the text by ``depth`` steps."""
    return textwrap.indent(text, STEP * depth)


def is_atom(text: str) -> bool:
    """Return whether an expression's text needs no brackets anywhere."""
    try:
        node = expression_tree(text, BRED).body
    except SyntaxError:
        return False
    number = isinstance(node, ast.Constant) and not isinstance(node.value, int | float | complex)
    bracketed = isinstance(node, ast.Tuple | ast.GeneratorExp) and text[0] == "("
    return "\n" not in text and (isinstance(node, _ATOMS) or number or text.isalnum() or bracketed)


def atom(text: str) -> str:
    """Return the text, in brackets if it needs them."""
    return text if is_atom(text) else f"({text})"


def whole(text: str) -> str:
    """Return the text for the end of a line, in brackets if it has several lines."""
    return f"({text})" if "\n" in text else text


def text_of(code: Code, node: ast.expr, swaps: Swaps | None = None) -> str:
    """Return an expression's text with some of its parts replaced."""
    start, end = code.span(node)
    return _swapped(code, start, end, swaps or {})


def block_text(code: Code, block: Sequence[ast.stmt], swaps: Swaps | None = None) -> str:
    """Return the dedented text of statements with their comments, some of their parts replaced."""
    if not block:
        return ""
    start, end = code.span(block[0])[0], code.span(block[-1])[1]
    text = _swapped(code, start, end, swaps or {})
    return textwrap.dedent(_comments_above(code, block[0]) + code.indent(block[0]) + text)


def _comments_above(code: Code, node: ast.stmt) -> str:
    """Return the comment lines directly above a statement."""
    if not code.alone(node):
        return ""
    above = code.text[: code.span(node)[0]].split("\n")[:-1]
    kept = list(itertools.takewhile(lambda line: line.lstrip().startswith("#"), reversed(above)))
    return "".join(f"{line}\n" for line in reversed(kept))


def _swapped(code: Code, start: int, end: int, swaps: Swaps) -> str:
    parts, last = [], start
    for change in sorted((swap(code, node, text) for node, text in swaps.items()), key=lambda each: each.start):
        if last <= change.start and change.end <= end:  # a change within a replaced part is dropped
            parts += [code.text[last : change.start], change.text]
            last = change.end
    return "".join([*parts, code.text[last:end]])


def swap(code: Code, node: Located, text: str) -> Change:
    """Replace the node's text; a generator's span includes its brackets, so its replacement needs some too."""
    if isinstance(node, ast.GeneratorExp) and not (text.startswith("(") and text.endswith(")")):
        text = f"({text})"
    return code.replaced(node, text)


def fitted(view: View, node: ast.expr, text: str) -> str:
    """Return the text for the node's place, in brackets if its surroundings require them."""
    parent = view.code.parents[node]
    held = isinstance(parent, _OPERATORS)
    held = held or (isinstance(parent, ast.Subscript) and parent.value is node)
    held = held or (isinstance(parent, ast.Call) and parent.func is node)
    held = held or isinstance(parent, ast.comprehension)
    return atom(text) if held or "\n" in text else text


def has_lines(code: Code, node: ast.stmt) -> bool:
    """Return whether a statement shares its lines with nothing but a comment."""
    rest = code.text[code.span(node)[1] :].split("\n", 1)[0].strip()
    return code.alone(node) and (not rest or rest.startswith("#"))


def window(code: Code, block: Sequence[ast.stmt], text: str) -> Change | None:
    """Replace consecutive statements by ``text``; None if they share a line with others."""
    if not code.alone(block[0]) or (not has_lines(code, block[-1]) and "\n" in text):
        return None
    start, end = code.span(block[0])[0], code.span(block[-1])[1]
    return Change(start, end, indented(text.strip("\n"), code.indent(block[0])))


def retyped(code: Code, node: ast.stmt, kind: str) -> list[Change]:
    """Update a ``list`` annotation to the new kind; return no change without one."""
    noted = node.annotation if isinstance(node, ast.AnnAssign) else None
    base = noted.value if isinstance(noted, ast.Subscript) else noted
    return [code.replaced(base, kind)] if isinstance(base, ast.Name) and base.id == "list" else []
