"""One hash for all code that differs only in formatting."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from typing import Final

from mendel.ports.lint.parsing import parse
from mendel.ports.lint.policies import PROGRAM
from mendel.ports.lint.sources import Source, text_complaint

_IGNORED: Final = frozenset({"kind", "type_comment", "type_ignores", "ctx"})  # notation, such as the u of u"text"
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def fingerprint(source: str) -> str:
    """Return the SHA-256 in hex of ``source`` without formatting, comments and docstrings.

    Names, order and the values of literals count. The hash is the same under every Python that parses the text into the
    same tree. A text that is not Python, or exceeds the profiles' limits, is hashed as it is. Never raises.
    """
    text = Source(source)
    tree = None if text_complaint(text, PROGRAM.most_bytes, PROGRAM.most_nesting) else parse(text).tree
    return text_fingerprint(source) if tree is None else tree_fingerprint(tree)


def text_fingerprint(source: str) -> str:
    """Return the hash of a text that has no tree."""
    return hashlib.sha256(b"text\0" + source.encode("utf-8", "surrogatepass")).hexdigest()


def tree_fingerprint(tree: ast.Module) -> str:
    """Return the hash of a tree, whatever its depth."""
    digest = hashlib.sha256(b"tree\0")
    stack: list[object] = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            digest.update(item.encode("utf-8", "surrogatepass"))
        elif isinstance(item, ast.AST):
            stack.extend(reversed([f"({type(item).__name__}", *_fields(item), ")"]))
        elif isinstance(item, list):
            stack.extend(
                reversed(["[", *(value if isinstance(value, ast.AST) else _value(value) for value in item), "]"])
            )
    return digest.hexdigest()


def _fields(node: ast.AST) -> Iterator[object]:
    """Yield names and contents of a node's fields. Empty fields are skipped, because newer Pythons add such fields."""
    for name in sorted(node._fields):
        content = getattr(node, name, None)
        if isinstance(node, ast.Constant) and name == "value":
            yield _value(content)
        elif name not in _IGNORED and content is not None and content != []:
            yield f" {name}="
            yield (
                _without_docstring(node, content) if name == "body" else content if _nests(content) else _value(content)
            )


def _nests(content: object) -> bool:
    return isinstance(content, ast.AST | list)


def _without_docstring(node: ast.AST, body: object) -> object:
    if not isinstance(node, _DOCUMENTED) or not isinstance(body, list):
        return body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:] or [ast.Pass()]
    return body


def _value(value: object) -> str:
    """Spell a leaf unambiguously: the type distinguishes 1, 1.0 and True, and ``hex`` has no length limit."""
    spelled = hex(value) if isinstance(value, int) else ascii(value)
    return f" {type(value).__name__}:{len(spelled)}:{spelled}"
