"""Rule: a trait uses only the documented attributes of its entity.

The entity is followed from ``execute``, and from every parameter called ``entity``, through plain assignments and calls
of the file's own functions. It is not followed into lists and fields, nor through more than eight steps.
"""

from __future__ import annotations

import ast
import difflib
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Final

from mendel.contracts.lint import EntityInterface, LintCode
from mendel.ports.lint.readings import Reading, Remark, is_dunder
from mendel.ports.lint.scopes import Scope, parameters
from mendel.ports.lint.sources import shown
from mendel.ports.lint.trait_class import trait_classes

Binding = tuple[Scope, str]
_STEPS: Final = 8  # of assignments or calls that hand an entity on
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Entities:
    """The variables that hold an entity."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._functions: dict[str, list[_Function]] = defaultdict(list)
        for function in _functions(reading):
            self._functions[function.name].append(function)
        self._known = set(self._first())
        for _ in range(_STEPS):
            self._known |= set(self._next())

    def holds(self, node: ast.AST, scope: Scope) -> bool:
        """Return whether ``node`` is a variable that holds an entity."""
        if not isinstance(node, ast.Name):
            return False
        home = scope.find(node.id)
        return home is not None and (home, node.id) in self._known

    def _first(self) -> Iterator[Binding]:
        scopes = self._reading.survey.scope_of_node
        for function in _functions(self._reading):
            yield from ((scopes[function], arg.arg) for arg in parameters(function.args) if arg.arg == "entity")
        for node in trait_classes(self._reading):
            for method in node.body:
                if isinstance(method, ast.AsyncFunctionDef) and method.name == "execute":
                    yield from ((scopes[method], arg.arg) for arg in _positional(method)[1:2])

    def _next(self) -> Iterator[Binding]:
        survey = self._reading.survey
        for assignment, scope in survey.all(ast.Assign):
            if self.holds(assignment.value, scope):
                yield from _bindings(scope, *assignment.targets)
        for annotated, scope in survey.all(ast.AnnAssign):
            if annotated.value and self.holds(annotated.value, scope):
                yield from _bindings(scope, annotated.target)
        for named, scope in survey.all(ast.NamedExpr):
            if self.holds(named.value, scope):
                yield from _bindings(scope, named.target)
        for call, scope in survey.all(ast.Call):
            yield from self._handed_on(call, scope)

    def _handed_on(self, call: ast.Call, scope: Scope) -> Iterator[Binding]:
        if not any(self.holds(value, scope) for value in (*call.args, *(word.value for word in call.keywords))):
            return
        name = str(getattr(call.func, "attr", getattr(call.func, "id", "")))
        for function in self._functions.get(name, ()):
            inside = self._reading.survey.scope_of_node[function]
            # A call of a method does not pass ``self``.
            taken = _positional(function)[isinstance(call.func, ast.Attribute) and not _is_static(function) :]
            for value, arg in zip(call.args, taken, strict=False):
                if self.holds(value, scope):
                    yield inside, arg.arg
            yield from ((inside, word.arg) for word in call.keywords if word.arg and self.holds(word.value, scope))


def _functions(reading: Reading) -> Iterator[_Function]:
    yield from (node for node, _ in reading.survey.all(ast.FunctionDef))
    yield from (node for node, _ in reading.survey.all(ast.AsyncFunctionDef))


def _positional(function: _Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args]


def _is_static(function: _Function) -> bool:
    return any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in function.decorator_list)


def _bindings(scope: Scope, *targets: ast.expr) -> Iterator[Binding]:
    for target in targets:
        if isinstance(target, ast.Name) and (home := scope.function.find(target.id)):
            yield home, target.id


def check_entity(reading: Reading, entities: Entities) -> Iterator[Remark]:
    """Check the attributes of an entity that are read, written or matched by a pattern."""
    remark = partial(_remark, reading.entity)
    for attribute, scope in reading.survey.all(ast.Attribute):
        if is_dunder(attribute.attr) or not entities.holds(attribute.value, scope):
            continue
        if attribute.attr not in reading.entity.names:
            yield remark(attribute, attribute.attr)
        elif not _may(reading.entity, attribute):
            yield _unchangeable(reading.entity, attribute)
    for match, scope in reading.survey.all(ast.Match):
        if entities.holds(match.subject, scope):
            patterns = (node for case in match.cases for node in ast.walk(case.pattern))
            classes = (node for node in patterns if isinstance(node, ast.MatchClass))
            yield from (
                remark(node, name) for node in classes for name in node.kwd_attrs if name not in reading.entity.names
            )


def _may(entity: EntityInterface, attribute: ast.Attribute) -> bool:
    stored = isinstance(attribute.ctx, ast.Store) and attribute.attr in entity.writable
    return stored or isinstance(attribute.ctx, ast.Load)


def _remark(entity: EntityInterface, node: ast.AST, name: str) -> Remark:
    near = difflib.get_close_matches(name[:40], entity.names, 1)  # comparing long names is slow
    known = ", ".join(sorted(entity.names))
    hint = f"did you mean {near[0]}? an entity has: {known}" if near else f"an entity has: {known}"
    return Remark(
        LintCode.AST_ENTITY_ATTR_FORBIDDEN, node, f"an entity has no attribute {shown(name)} for traits", hint
    )


def _unchangeable(entity: EntityInterface, attribute: ast.Attribute) -> Remark:
    message = f"a trait cannot change {shown(attribute.attr)} of an entity"
    hint = f"a trait may assign: {', '.join(sorted(entity.writable))}"
    return Remark(LintCode.AST_ENTITY_ATTR_FORBIDDEN, attribute, message, hint)
