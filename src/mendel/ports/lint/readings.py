"""A tree under a policy: the input of every rule, and the remarks that it returns."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import NamedTuple

from mendel.contracts.lint import EntityInterface, LintCode
from mendel.ports.lint.policies import Policy
from mendel.ports.lint.scopes import Scope, Survey


class Remark(NamedTuple):
    """What a rule reports about a node; None stands for the whole text."""

    code: LintCode
    node: ast.AST | None
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The input of a rule."""

    policy: Policy
    survey: Survey
    entity: EntityInterface

    def paths(self, expression: ast.AST, scope: Scope) -> frozenset[str]:
        """Return the imported meaning of a name or attribute chain: ``{"math.sqrt"}``; empty if it is not imported."""
        attributes: list[str] = []
        while isinstance(expression, ast.Attribute):
            attributes.append(expression.attr)
            expression = expression.value
        if not isinstance(expression, ast.Name) or expression.id not in self.survey.imported:
            return frozenset()
        home = scope.find(expression.id)
        roots = home.imports.get(expression.id, ()) if home else ()
        return frozenset(".".join([root, *reversed(attributes)]) for root in roots)

    def builtin(self, name: ast.Name, scope: Scope) -> bool:
        """Return whether ``name`` may mean a builtin when it runs.

        A function's own variable never does. A name of a module or a class may: before it is bound, after it is
        deleted, or if the binding is never reached.
        """
        home = scope.find(name.id)
        return home is None or home.kind in ("module", "class")


def is_dunder(name: str) -> bool:
    """Return whether ``name`` has two underscores at each end, as names of the language have."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")
