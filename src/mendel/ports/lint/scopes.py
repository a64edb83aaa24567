"""Name resolution: every node with its scope and parent, every binding, every use.

It follows Python's own rules, except for the order of execution: a class is invisible to its functions, a comprehension
is a scope with its first iterable outside, ``:=`` binds outside comprehensions, ``global`` binds in the module.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeVar

Kind = Literal["module", "class", "function", "comprehension"]
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Node = TypeVar("_Node", bound=ast.AST)

SILENT: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
"""Nodes that only qualify their parent, such as operators; no rule looks at them separately."""


@dataclass(eq=False, slots=True)
class Scope:
    """A region in which a name has one meaning."""

    kind: Kind
    node: ast.AST
    parent: Scope | None = None
    bound: dict[str, list[ast.AST]] = field(default_factory=dict)
    imports: dict[str, set[str]] = field(default_factory=dict)
    outer: dict[str, Literal["global", "nonlocal"]] = field(default_factory=dict)

    def find(self, name: str) -> Scope | None:
        """Return the scope in which ``name``, used here, is bound; None for a builtin or an unbound name."""
        scope: Scope | None = self.module if self.outer.get(name) == "global" else self
        while scope is not None:
            # Functions do not see the names of a class around them.
            if name in scope.bound and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def function(self) -> Scope:
        """This scope, or the innermost enclosing one that is not a comprehension."""
        scope = self
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        return scope


class Placed(NamedTuple):
    """A node and its scope."""

    node: ast.AST
    scope: Scope


class Survey:
    """One walk over a tree, so that the rules look things up here instead of walking again."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.root = Scope("module", tree)
        self.scopes = [self.root]
        self.scope_of_node: dict[ast.AST, Scope] = {tree: self.root}
        self.parents: dict[ast.AST, ast.AST] = {}
        self.by_type: dict[type[ast.AST], list[Placed]] = defaultdict(list)
        self.imported: set[str] = set()
        self._stack: list[tuple[ast.AST, ast.AST, Scope]] = []
        self._push(tree, self.root, tree.body)
        while self._stack:
            self._visit(*self._stack.pop())

    def all(self, *kinds: type[_Node]) -> Iterator[tuple[_Node, Scope]]:
        """Yield every node of exactly these types with its scope, in unspecified order."""
        for kind in kinds:
            yield from self.by_type.get(kind, ())  # type: ignore[misc]  # grouped by type

    def loads(self) -> Iterator[tuple[ast.Name, Scope]]:
        """Yield every name that is read or deleted; both need a binding."""
        return ((name, scope) for name, scope in self.all(ast.Name) if not isinstance(name.ctx, ast.Store))

    def _visit(self, node: ast.AST, parent: ast.AST, scope: Scope) -> None:
        self.parents[node] = parent
        self.by_type[type(node)].append(Placed(node, scope))
        visit = _VISITORS.get(type(node))
        if visit is None:
            self._push(node, scope, ast.iter_child_nodes(node))
        else:
            visit(self, node, scope)

    def _push(self, parent: ast.AST, scope: Scope, children: Iterable[ast.AST]) -> None:
        """Push ``children`` with the first on top, so that ``global`` is visited before the names that it affects."""
        fresh = [(child, parent, scope) for child in children if not isinstance(child, SILENT)]
        self._stack.extend(reversed(fresh))

    def _open(self, kind: Kind, node: ast.AST, parent: Scope) -> Scope:
        scope = self.scope_of_node[node] = Scope(kind, node, parent)
        self.scopes.append(scope)
        return scope

    def _bind(self, scope: Scope, name: str, node: ast.AST) -> Scope:
        home = scope.module if scope.outer.get(name) == "global" else scope
        home.bound.setdefault(name, []).append(node)
        return home

    def _bind_import(self, scope: Scope, name: str, meant: str, node: ast.AST) -> None:
        self._bind(scope, name, node).imports.setdefault(name, set()).add(meant)
        self.imported.add(name)

    # --- nodes that bind or open a scope -----------------------------------------------------------------------------

    def _name(self, node: ast.Name, scope: Scope) -> None:
        # A nonlocal name is already bound in an outer function.
        if isinstance(node.ctx, ast.Store) and scope.outer.get(node.id) != "nonlocal":
            self._bind(scope, node.id, node)

    def _named_expr(self, node: ast.NamedExpr, scope: Scope) -> None:
        self._push(node, scope, [node.value])
        self._push(node, scope.function, [node.target])  # bound outside the comprehension

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        self._bind(scope, node.name, node)
        outside = self._typed(node, scope)
        inside = self._open("function", node, outside)
        self._push(node, inside, node.body)
        self._arguments(node, inside, outside)
        self._push(node, outside, [node.returns] if node.returns else [])
        self._push(node, scope, node.decorator_list)

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inside = self._open("function", node, scope)
        self._push(node, inside, [node.body])
        self._arguments(node, inside, scope)

    def _arguments(self, node: Function, inside: Scope, outside: Scope) -> None:
        for argument in parameters(node.args):
            inside.bound.setdefault(argument.arg, []).append(argument)
            self._push(node, outside, [argument])
        self._push(node, outside, [*node.args.defaults, *filter(None, node.args.kw_defaults)])

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(scope, node.name, node)
        outside = self._typed(node, scope)
        self._push(node, self._open("class", node, outside), node.body)
        self._push(node, outside, [*node.bases, *node.keywords])
        self._push(node, scope, node.decorator_list)

    def _typed(self, node: ast.AST, scope: Scope) -> Scope:
        """Return the scope of type parameters (Python 3.12) if a definition has any, else ``scope``."""
        names: list[ast.AST] = getattr(node, "type_params", [])
        if not names:
            return scope
        inside = Scope("function", node, scope)
        self.scopes.append(inside)
        for name in names:
            inside.bound.setdefault(getattr(name, "name", ""), []).append(name)
        self._push(node, inside, names)
        return inside

    def _type_alias(self, node: ast.AST, scope: Scope) -> None:
        inside = self._typed(node, scope)
        self._push(node, inside, [getattr(node, "value")])  # noqa: B009  # the type is unknown before Python 3.12
        self._push(node, scope, [getattr(node, "name")])  # noqa: B009  # as above

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope) -> None:
        inside = self._open("comprehension", node, scope)
        first, *rest = node.generators
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._push(node, inside, [first.target, *first.ifs, *rest, *parts])
        self._push(node, scope, [first.iter])  # evaluated outside

    def _import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            meant = alias.name if alias.asname else name
            self._bind_import(scope, name, meant, node)

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name
            meant = f"{node.module or ''}.{alias.name}"
            self._bind_import(scope, name, meant, node)

    def _outer(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        for name in node.names:
            scope.outer[name] = "global" if isinstance(node, ast.Global) else "nonlocal"

    def _captured(self, node: ast.AST, scope: Scope) -> None:
        """Bind the name of ``except … as name``, ``case … as name``, ``case [*name]`` or ``case {**name}``."""
        name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
        if name:
            self._bind(scope, name, node)
        self._push(node, scope, ast.iter_child_nodes(node))


def parameters(args: ast.arguments) -> list[ast.arg]:
    """Return every parameter, in order."""
    stars = (args.vararg, args.kwarg)
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *(star for star in stars if star)]


_Visitor = Callable[[Survey, ast.AST, Scope], None]
_VISITORS: Final[dict[type[ast.AST], _Visitor]] = {  # each is listed under the types that it accepts
    ast.Name: Survey._name,  # type: ignore[dict-item]
    ast.NamedExpr: Survey._named_expr,  # type: ignore[dict-item]
    ast.FunctionDef: Survey._definition,  # type: ignore[dict-item]
    ast.AsyncFunctionDef: Survey._definition,  # type: ignore[dict-item]
    ast.Lambda: Survey._lambda,  # type: ignore[dict-item]
    ast.ClassDef: Survey._class,  # type: ignore[dict-item]
    ast.ListComp: Survey._comprehension,  # type: ignore[dict-item]
    ast.SetComp: Survey._comprehension,  # type: ignore[dict-item]
    ast.DictComp: Survey._comprehension,  # type: ignore[dict-item]
    ast.GeneratorExp: Survey._comprehension,  # type: ignore[dict-item]
    ast.Import: Survey._import,  # type: ignore[dict-item]
    ast.ImportFrom: Survey._import_from,  # type: ignore[dict-item]
    ast.Global: Survey._outer,  # type: ignore[dict-item]
    ast.Nonlocal: Survey._outer,  # type: ignore[dict-item]
    ast.ExceptHandler: Survey._captured,
    ast.MatchAs: Survey._captured,
    ast.MatchStar: Survey._captured,
    ast.MatchMapping: Survey._captured,
}
if hasattr(ast, "TypeAlias"):
    _VISITORS[ast.TypeAlias] = Survey._type_alias
