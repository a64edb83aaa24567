"""The normal form of a program: its tree without local names, comments, docstrings and annotations."""

from __future__ import annotations

import ast
from hashlib import blake2b
from typing import Final, cast

from mendel.breeding.code import Code, Function, tree_of

_DIGEST: Final = 16


def fingerprint(code: Code) -> str:
    """Return a digest of the normal form, equal for programs that differ only in style."""
    known = code.__dict__.get("_fingerprint")  # kept on the object, since each parent is compared with many children
    if known is None:
        dumped = ast.dump(normal(code), annotate_fields=False)
        known = code.__dict__["_fingerprint"] = blake2b(dumped.encode(), digest_size=_DIGEST).hexdigest()
    return cast("str", known)


def normal(code: Code) -> ast.Module:
    """Return the tree in normal form."""
    return cast("ast.Module", _Normal().visit(tree_of(code.text)))  # parsing again takes a tenth of a copy's time


class _Normal(ast.NodeTransformer):
    """Removes docstrings and annotations, and numbers the locals of every function in order of appearance."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: Function) -> ast.AST:
        outer = self._names  # an inner function also sees the names of the functions around it
        self._names = {**outer, **_locals(node, len(outer))}
        node.returns = None
        node.body = _undocumented(node.body)
        self.generic_visit(node)
        self._names = outer
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _undocumented(node.body)
        return self.generic_visit(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = _undocumented(node.body)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return ast.Pass()  # an annotation without a value binds nothing
        return cast("ast.AST", self.visit(ast.Assign(targets=[node.target], value=node.value)))

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(arg=node.arg, annotation=None)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(id=self._names.get(node.id, node.id), ctx=node.ctx)


def _locals(function: Function, known: int) -> dict[str, str]:
    """Return new names for the function's locals; parameters keep theirs, since callers may pass them by name."""
    outside = {
        name for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
    }
    given = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    found: dict[str, str] = {}
    for node in _in_order(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in outside | given:
            found.setdefault(node.id, f"${known + len(found)}")  # no clash: identifiers have no $
    return found


def _in_order(function: Function) -> list[ast.AST]:
    return sorted(ast.walk(function), key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def _undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if not (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    ):
        return body
    return [*body[1:]] or [ast.Pass()]
