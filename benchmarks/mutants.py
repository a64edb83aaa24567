"""First-order mutants of a program: each differs from it at one place of its syntax tree, like a small mistake.

Every operator takes a node and returns replacements; ``None`` stands for a deleted statement. Mutants that unparse to
the same text count once, for the first operator that created them. A mutant may be equivalent to the original; the
caller must check that.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

Replacement = ast.AST | list[ast.stmt] | None
Operator = Callable[[ast.AST], Iterator[Replacement]]


class Mutant(NamedTuple):
    """One changed program; ``line`` is the line of the change in the original."""

    operator: str
    line: int
    source: str


def mutants(source: str) -> list[Mutant]:
    """Return every mutant that compiles, in the order of the program's lines."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree) + "\n"}
    found = []
    for node in _mutable(tree):
        for name, operator in OPERATORS.items():
            for new in operator(node):
                text = replaced(tree, node, new)
                if text not in seen and _compiles(text):
                    seen.add(text)
                    found.append(Mutant(name, getattr(node, "lineno", 0), text))
    return sorted(found, key=lambda mutant: mutant.line)


def replaced(tree: ast.Module, node: ast.AST, new: Replacement) -> str:
    """Return the text of ``tree`` with ``new`` in the place of ``node``; neither is changed."""
    copies: dict[int, ast.AST] = {}
    changed = copy.deepcopy(tree, copies)
    _Replacing(copies[id(node)], [ast.Pass()] if new is None else new).visit(changed)
    return ast.unparse(ast.fix_missing_locations(changed)) + "\n"


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST | list[ast.stmt]) -> None:
        self._old = old
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        """Put the new node in the old one's place."""
        return self._new if node is self._old else self.generic_visit(node)


def _mutable(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield every node except docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0]) for node in ast.walk(tree) if isinstance(node, documented) and ast.get_docstring(node)
    }
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) not in docstrings:
            yield node
            waiting += reversed(list(ast.iter_child_nodes(node)))


def _compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


# --- expressions ---------------------------------------------------------------------------------------------------

_ORDER: Final[tuple[type[ast.cmpop], ...]] = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_OPPOSITES: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: Final[Mapping[type[ast.operator], Sequence[type[ast.operator]]]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.Mult),
    ast.Mult: (ast.Add, ast.Div),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv, ast.Mult),
}
_TWINS: Final[Mapping[str, str]] = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "append": "extend",
    "sorted": "list",
    "int": "round",
    "lstrip": "rstrip",
    "rstrip": "lstrip",
}


def _comparisons(node: ast.AST) -> Iterator[Replacement]:
    if not isinstance(node, ast.Compare):
        return
    for place, op in enumerate(node.ops):
        others = [other for other in _ORDER if not isinstance(op, other)] if isinstance(op, _ORDER) else []
        for other in others or [_OPPOSITES[type(op)]]:
            yield ast.Compare(node.left, [*node.ops[:place], other(), *node.ops[place + 1 :]], node.comparators)


def _arithmetic(node: ast.AST) -> Iterator[Replacement]:
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)


def _operands(node: ast.AST) -> Iterator[Replacement]:
    """One operand alone, or both the other way round."""
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right
        yield ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def _booleans(node: ast.AST) -> Iterator[Replacement]:
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for place in range(len(node.values)):
            rest = node.values[:place] + node.values[place + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _conditions(node: ast.AST) -> Iterator[Replacement]:
    """The opposite, True and False."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        for test in (ast.UnaryOp(ast.Not(), node.test), ast.Constant(True), ast.Constant(False)):  # noqa: FBT003
            changed = copy.copy(node)
            changed.test = test
            yield changed


def _constants(node: ast.AST) -> Iterator[Replacement]:
    if not isinstance(node, ast.Constant):
        return
    match node.value:
        case bool():
            yield ast.Constant(not node.value)
        case int() | float():
            yield from map(ast.Constant, (node.value + 1, node.value - 1))
            if node.value:
                yield ast.UnaryOp(ast.USub(), node)
        case str():
            yield from map(ast.Constant, ("", node.value + node.value, "x"))
        case None:
            yield ast.Constant(0)


def _ranges(node: ast.AST) -> Iterator[Replacement]:
    """One more, one less, or without the first."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        for place, argument in enumerate(node.args):
            for off in _off_by_one(argument):
                yield ast.Call(node.func, [*node.args[:place], off, *node.args[place + 1 :]], [])
        if len(node.args) == 1:
            yield ast.Call(node.func, [ast.Constant(1), *node.args], [])


def _subscripts(node: ast.AST) -> Iterator[Replacement]:
    """One more and one less; and a slice without one of its ends."""
    if isinstance(node, ast.Slice):
        for end in ("lower", "upper", "step"):
            bound = getattr(node, end)
            for changed_bound in () if bound is None else (None, *_off_by_one(bound)):
                changed = copy.copy(node)
                setattr(changed, end, changed_bound)
                yield changed
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        for off in _off_by_one(node.slice):
            yield ast.Subscript(node.value, off, node.ctx)


def _off_by_one(bound: ast.expr) -> Iterator[ast.expr]:
    for op in (ast.Add(), ast.Sub()):
        yield ast.BinOp(bound, op, ast.Constant(1))


def _calls(node: ast.AST) -> Iterator[Replacement]:
    """Arguments swapped or omitted, the argument instead of the call, and the function's counterpart."""
    if not isinstance(node, ast.Call):
        return
    if len(node.args) >= 2:
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
    for place, argument in enumerate(node.args):
        yield ast.Call(node.func, node.args[:place] + node.args[place + 1 :], node.keywords)
        yield argument
    for place in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:place] + node.keywords[place + 1 :])
    if isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        yield ast.Call(ast.Name(_TWINS[node.func.id], ast.Load()), node.args, node.keywords)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _TWINS:
        twin = ast.Attribute(node.func.value, _TWINS[node.func.attr], ast.Load())
        yield ast.Call(twin, node.args, node.keywords)


def _choices(node: ast.AST) -> Iterator[Replacement]:
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse


def _collections(node: ast.AST) -> Iterator[Replacement]:
    """Comprehensions without a condition, or over all but the first item; an empty collection."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        for place, part in enumerate(node.generators):
            shorter = ast.Subscript(part.iter, ast.Slice(ast.Constant(1)), ast.Load())
            changes = [copy.copy(part), copy.copy(part)]
            changes[0].iter, changes[1].ifs = shorter, []
            for changed in changes:
                new = copy.copy(node)
                new.generators = [*node.generators[:place], changed, *node.generators[place + 1 :]]
                yield new
    if isinstance(node, ast.List | ast.Tuple) and isinstance(node.ctx, ast.Load) and node.elts:
        yield type(node)([], ast.Load())


# --- statements ----------------------------------------------------------------------------------------------------

_DELETED: Final = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.Delete,
    ast.If,
    ast.For,
    ast.While,
    ast.Return,
    ast.Break,
    ast.Continue,
)


def _deletions(node: ast.AST) -> Iterator[Replacement]:
    if isinstance(node, _DELETED):
        yield None


def _returns(node: ast.AST) -> Iterator[Replacement]:
    """None, an empty value, and the value in a list."""
    if isinstance(node, ast.Return) and node.value is not None:
        yield ast.Return(ast.Constant(None))
        yield ast.Return(ast.List([], ast.Load()))
        yield ast.Return(ast.List([node.value], ast.Load()))


def _augmented(node: ast.AST) -> Iterator[Replacement]:
    """The inverse operation, or the operand alone."""
    if isinstance(node, ast.AugAssign):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield ast.AugAssign(node.target, other(), node.value)
        yield ast.Assign([node.target], node.value)


def _jumps(node: ast.AST) -> Iterator[Replacement]:
    """Break for continue and vice versa; a loop that ends, or continues, after or before its first round."""
    if isinstance(node, ast.Break):
        yield ast.Continue()
    if isinstance(node, ast.Continue):
        yield ast.Break()
    if isinstance(node, ast.For | ast.While):
        for body in ([*node.body, ast.Break()], [ast.Break(), *node.body]):
            changed = copy.copy(node)
            changed.body = body
            yield changed


def _loops(node: ast.AST) -> Iterator[Replacement]:
    """A loop over the items backwards, or over all but the first or the last of them."""
    if isinstance(node, ast.For):
        copied = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        minus = ast.UnaryOp(ast.USub(), ast.Constant(1))
        for part in (ast.Slice(ast.Constant(1)), ast.Slice(None, minus), ast.Slice(None, None, minus)):
            changed = copy.copy(node)
            changed.iter = ast.Subscript(copied, part, ast.Load())
            yield changed


def _branches(node: ast.AST) -> Iterator[Replacement]:
    """A branch without its alternative."""
    if isinstance(node, ast.If) and node.orelse:
        changed = copy.copy(node)
        changed.orelse = []
        yield changed


OPERATORS: Final[Mapping[str, Operator]] = {
    "comparison": _comparisons,
    "arithmetic": _arithmetic,
    "operands": _operands,
    "boolean": _booleans,
    "condition": _conditions,
    "constant": _constants,
    "range": _ranges,
    "subscript": _subscripts,
    "call": _calls,
    "choice": _choices,
    "collection": _collections,
    "statement deleted": _deletions,
    "return": _returns,
    "augmented assignment": _augmented,
    "jump": _jumps,
    "loop": _loops,
    "branch": _branches,
}
