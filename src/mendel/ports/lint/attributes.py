"""Rule: nothing leads from a value into the interpreter, by attribute, pattern, name in a string, or format."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.policies import Policy
from mendel.ports.lint.readings import Reading, Remark, is_dunder
from mendel.ports.lint.scopes import Scope
from mendel.ports.lint.sources import shown
from mendel.ports.lint.vocabulary import BY_LITERAL_NAME, DEFINED_ONLY, INTERNALS, SPELLED

_FORMATS: Final = frozenset({"format", "format_map"})
_FIELD_ATTRIBUTE: Final = re.compile(r"\.(\w+)")
_DEEPEST_SPEC: Final = 3  # levels of fields nested in format specifications


def check_attributes(reading: Reading) -> Iterator[Remark]:
    """Check attributes, patterns, strings and formats."""
    for attribute, scope in reading.survey.all(ast.Attribute):
        if not allowed_attribute(reading.policy, attribute.attr) and not _excused(reading, attribute, scope):
            yield banned(attribute, attribute.attr)
        if attribute.attr in _FORMATS:
            yield from _format(reading, attribute, scope)
    for pattern, _ in reading.survey.all(ast.MatchClass):
        names = (name for name in pattern.kwd_attrs if not allowed_attribute(reading.policy, name))
        yield from (banned(pattern, name) for name in names)
    yield from _strings(reading)


def allowed_attribute(policy: Policy, name: str) -> bool:
    """Return whether code may read the attribute ``name`` of any value."""
    if is_dunder(name):
        return name in policy.dunders and name not in DEFINED_ONLY and name != "__class__"
    return name not in INTERNALS


def banned(node: ast.AST, name: str) -> Remark:
    """Create the remark about a forbidden attribute."""
    hint = "use type(value)" if name == "__class__" else "use the value's public attributes and methods"
    return Remark(LintCode.AST_BANNED_ATTR, node, f"the attribute {shown(name)} belongs to the interpreter", hint)


def _excused(reading: Reading, attribute: ast.Attribute, scope: Scope) -> bool:
    """Allow ``self.__class__`` of a function's own variable, and ``object.__setattr__(self, "name", value)``."""
    value = attribute.value
    if attribute.attr not in reading.policy.dunders or not isinstance(value, ast.Name):
        return False
    if attribute.attr == "__class__":
        return isinstance(attribute.ctx, ast.Load) and not reading.builtin(value, scope)
    return attribute.attr in BY_LITERAL_NAME and value.id == "object"


def _format(reading: Reading, attribute: ast.Attribute, scope: Scope) -> Iterator[Remark]:
    value = attribute.value
    texts = _texts(reading, value, scope)
    for text in texts:
        names = (name for name in _format_attributes(text) if not allowed_attribute(reading.policy, name))
        yield from (banned(value, name) for name in names)
    own = isinstance(value, ast.Name) and value.id in ("self", "cls")  # a method of its own
    if not (texts or own or isinstance(reading.survey.parents[attribute], ast.Compare)):
        message = "a format string that is not a literal could access any attribute"
        yield Remark(LintCode.AST_BANNED_CALL, attribute, message, "use an f-string, or call .format on a literal")


def _texts(reading: Reading, value: ast.expr, scope: Scope) -> list[str]:
    """Return the text of ``value``, or every text assigned to its variable; empty if it may have another value."""
    values = [value]
    if isinstance(value, ast.Name):
        home = scope.find(value.id)
        owners = [reading.survey.parents[node] for node in home.bound[value.id]] if home else []
        values = [owner.value for owner in owners if isinstance(owner, ast.Assign | ast.AnnAssign) and owner.value]
        if len(values) < len(owners):
            return []
    texts = [item.value for item in values if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return texts if len(texts) == len(values) else []


def _format_attributes(text: str) -> Iterator[str]:
    """Yield the attributes that the fields of a format read, including nested fields."""
    texts = [text]
    for _ in range(_DEEPEST_SPEC):
        inner: list[str] = []
        for piece in texts:
            try:
                fields = list(string.Formatter().parse(piece))
            except ValueError:
                continue  # it fails in the same way when it runs
            for _, name, spec, _ in fields:
                yield from _FIELD_ATTRIBUTE.findall(name or "")
                inner.append(spec or "")
        texts = inner


def _strings(reading: Reading) -> Iterator[Remark]:
    refused = sorted(SPELLED - reading.policy.dunders | {"__class__"})
    for constant, _ in reading.survey.all(ast.Constant):
        text = constant.value
        # A text that is a statement, such as a docstring, is never used.
        if isinstance(text, str) and "__" in text and not isinstance(reading.survey.parents[constant], ast.Expr):
            found = next((word for word in refused if word in text), None)
            if found:
                message = f"a string spells {found}, which belongs to the interpreter"
                yield Remark(LintCode.AST_BANNED_ATTR, constant, message, "choose a text without it")
