"""The meaning of names in a file, as far as its text shows: imports, aliases and classes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mendel.breeding.code import Code


@dataclass
class Scope:
    """The names of a module: the origins of imports, the definitions of aliases, and the classes."""

    imports: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)  # modules imported with `*`: an unknown name may come from the last

    @classmethod
    def of(cls, code: Code) -> Scope:
        """Return the scope of a file, including names below ``if TYPE_CHECKING`` and in ``try``."""
        scope = cls()
        for statement in _top_level(code.tree.body):
            scope._add(statement)
        return scope

    def _add(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import):
            for name in statement.names:
                self.imports[name.asname or name.name.split(".")[0]] = (
                    name.name if name.asname else name.name.split(".")[0]
                )
        elif isinstance(statement, ast.ImportFrom) and not statement.level:  # relative imports are of unknown types
            for name in statement.names:
                if name.name == "*":
                    self.stars.append(str(statement.module))
                else:
                    self.imports[name.asname or name.name] = f"{statement.module}.{name.name}"
        elif isinstance(statement, ast.ClassDef):
            self.classes[statement.name] = statement
        else:
            self.aliases.update(_assigned(statement))

    def dotted(self, node: ast.expr) -> str | None:
        """Return the full name of an expression, such as ``typing.List`` or ``builtins.int``; None if it has none."""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return f"{base}.{node.attr}" if base else None
        if not isinstance(node, ast.Name) or node.id in self.aliases or node.id in self.classes:
            return None
        if node.id in self.imports:
            return self.imports[node.id].replace("typing_extensions", "typing", 1)
        if hasattr(builtins, node.id):
            return f"builtins.{node.id}"
        return f"{self.stars[-1]}.{node.id}" if self.stars else None


def _top_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.If | ast.Try):
            yield from _top_level(statement.body)
            yield from _top_level(statement.orelse)
            for handler in getattr(statement, "handlers", ()):
                yield from _top_level(handler.body)
        else:
            yield statement


def _assigned(statement: ast.stmt) -> dict[str, ast.expr]:
    """Return the alias that ``X = …``, ``X: TypeAlias = …`` or ``type X = …`` defines."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return {statement.targets[0].id: statement.value}
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value is not None:
        return {statement.target.id: statement.value}
    name, value = getattr(statement, "name", None), getattr(statement, "value", None)
    if type(statement).__name__ == "TypeAlias" and isinstance(name, ast.Name) and isinstance(value, ast.expr):
        return {name.id: value}  # Python 3.12's statement, which 3.11 does not parse
    return {}
