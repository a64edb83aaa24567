"""Rule: only modules of the profile's allow-list, and only their public members."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendel.contracts.lint import LintCode
from mendel.ports.lint.policies import Policy
from mendel.ports.lint.readings import Reading, Remark
from mendel.ports.lint.scopes import Scope
from mendel.ports.lint.sources import shown
from mendel.ports.lint.vocabulary import REFUSED_MEMBERS

_AS_VALUE = "use it as `module.name`, or import the names that you need"


def check_imports(reading: Reading) -> Iterator[Remark]:
    """Check what is imported, and what is then used of a module."""
    policy = reading.policy
    for plain, _ in reading.survey.all(ast.Import):
        yield from (_forbidden(policy, alias, alias.name) for alias in plain.names if not policy.imports(alias.name))
    for node, _ in reading.survey.all(ast.ImportFrom):
        yield from _import_from(policy, node)
    for name, scope in reading.survey.loads():
        yield from _uses(reading, name, scope)


def _forbidden(policy: Policy, node: ast.AST, module: str) -> Remark:
    message = f"the module {shown(module)} cannot be imported in the profile {policy.profile}"
    roots = sorted({name.partition(".")[0] for name in (*policy.modules, *policy.granted)} - {"__future__"})
    return Remark(LintCode.AST_IMPORT_FORBIDDEN, node, message, f"do without it, or use one of: {', '.join(roots)}")


def _import_from(policy: Policy, node: ast.ImportFrom) -> Iterator[Remark]:
    module = node.module or ""
    if node.level:
        message = "a relative import has no package to start from"
        yield Remark(LintCode.AST_IMPORT_FORBIDDEN, node, message, "import by the full name of the module")
        return
    for alias in node.names:
        if not (policy.imports(module) or policy.offers(module, alias.name)):
            yield _forbidden(policy, node, module)
            return
        if alias.name == "*":
            message = f"`from {shown(module)} import *` hides which names it brings"
            yield Remark(LintCode.AST_IMPORT_FORBIDDEN, alias, message, "import the names that you need")
        elif not policy.offers(module, alias.name):
            yield _member(LintCode.AST_IMPORT_FORBIDDEN, alias, module, alias.name)


def _member(code: LintCode, node: ast.AST, module: str, member: str) -> Remark:
    hint = REFUSED_MEMBERS.get(f"{module}.{member}", f"use what {module} documents, within the profile")
    return Remark(code, node, f"{shown(member)} of the module {shown(module)} is not allowed", hint)


def _uses(reading: Reading, name: ast.Name, scope: Scope) -> Iterator[Remark]:
    """Follow ``name.a.b`` as long as it means a module."""
    for path in reading.paths(name, scope):
        yield from _follow(reading, name, path)


def _follow(reading: Reading, node: ast.expr, path: str) -> Iterator[Remark]:
    policy, parents = reading.policy, reading.survey.parents
    while path in policy.modules and not policy.grants(path):
        parent = parents[node]
        if isinstance(parent, ast.Delete):  # deleting the name is harmless
            return
        if not (isinstance(parent, ast.Attribute) and parent.value is node):
            yield Remark(LintCode.AST_BANNED_ATTR, node, f"the module {path} is used as a value", _AS_VALUE)
            return
        if not isinstance(parent.ctx, ast.Load):
            yield Remark(LintCode.AST_BANNED_ATTR, parent, f"the module {path} is changed", "keep your own state")
            return
        if not policy.offers(path, parent.attr):
            yield _member(LintCode.AST_BANNED_ATTR, parent, path, parent.attr)
            return
        node, path = parent, f"{path}.{parent.attr}"
