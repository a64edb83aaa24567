"""Behaviour-preserving rewrites of a program, as in a clean-up by a person or a paraphrase by a model.

Each rule changes one place where this is safe, as far as the syntax tree shows. The rules rely on properties of the
built-in baselines: functions called with positional arguments, no generators, no changing globals, numbers and lists of
the usual kinds. So the caller must also check each rewrite.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from benchmarks.mutants import Replacement, replaced

Rule = Callable[[ast.AST], Iterator[Replacement]]
WholeRule = Callable[[ast.Module], Iterator[str]]
Function = ast.FunctionDef


class Rewrite(NamedTuple):
    """One rewritten program."""

    rule: str
    source: str


def rewrites(source: str) -> list[Rewrite]:
    """Return every rewrite by every rule, each text once, and one with all rules in sequence."""
    tree = ast.parse(source)
    found = [Rewrite(name, text) for name, rule in WHOLE.items() for text in rule(tree)]
    for node in ast.walk(tree):
        found += [Rewrite(name, replaced(tree, node, new)) for name, rule in RULES.items() for new in rule(node)]
    found += [Rewrite("everything", everything(source))]
    return list({rewrite.source: rewrite for rewrite in reversed(found) if rewrite.source != source}.values())[::-1]


def everything(source: str) -> str:
    """Apply each rule at its first place, one rule after another."""
    for rule in RULES.values():
        tree = ast.parse(source)
        source = next((replaced(tree, node, new) for node in ast.walk(tree) for new in rule(node)), source)
    for whole in WHOLE.values():
        source = next(whole(ast.parse(source)), source)
    return source


# --- expressions ---------------------------------------------------------------------------------------------------

_MIRRORED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
_NEGATED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _commuted(node: ast.AST) -> Iterator[Replacement]:
    """``a < b`` as ``b > a``."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _MIRRORED:
        yield ast.Compare(node.comparators[0], [_MIRRORED[type(node.ops[0])]()], [node.left])


def _not_the_opposite(node: ast.AST) -> Iterator[Replacement]:
    """``a < b`` as ``not a >= b``."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _NEGATED:
        yield _not(ast.Compare(node.left, [_NEGATED[type(node.ops[0])]()], node.comparators))


def _de_morgan(node: ast.AST) -> Iterator[Replacement]:
    """In a condition, ``a and b`` as ``not (not a or not b)``."""
    if isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.BoolOp):
        other = ast.Or() if isinstance(node.test.op, ast.And) else ast.And()
        yield _with_test(node, _not(ast.BoolOp(other, [_not(value) for value in node.test.values])))


def _whole_slices(node: ast.AST) -> Iterator[Replacement]:
    """``x[:n]`` as ``x[0:n]``."""
    if isinstance(node, ast.Slice) and node.lower is None and node.step is None:
        yield ast.Slice(ast.Constant(0), node.upper)


def _constants_summed(node: ast.AST) -> Iterator[Replacement]:
    """``5`` as ``4 + 1``."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.BinOp(ast.Constant(node.value - 1), ast.Add(), ast.Constant(1))


def _called_constructors(node: ast.AST) -> Iterator[Replacement]:
    """``[]`` as ``list()``."""
    if isinstance(node, ast.List) and not node.elts and isinstance(node.ctx, ast.Load):
        yield _call("list")
    if isinstance(node, ast.Dict) and not node.keys:
        yield _call("dict")


def _smaller_by_hand(node: ast.AST) -> Iterator[Replacement]:
    """``min(a, b)`` as ``b if b < a else a``, and ``max`` likewise."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2 and not node.keywords:
        left, right = node.args
        if node.func.id in ("min", "max"):
            op = ast.Lt() if node.func.id == "min" else ast.Gt()
            yield ast.IfExp(ast.Compare(right, [op], [left]), right, left)


def _lambdas(node: ast.AST) -> Iterator[Replacement]:
    """A returned value, from a lambda that is called immediately."""
    if isinstance(node, ast.Return) and node.value is not None:
        empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        yield ast.Return(ast.Call(ast.Lambda(empty, node.value), [], []))


def _listed_generators(node: ast.AST) -> Iterator[Replacement]:
    """``[f(x) for x in xs]`` as ``list(f(x) for x in xs)``."""
    if isinstance(node, ast.ListComp):
        yield _call("list", ast.GeneratorExp(node.elt, node.generators))


# --- statements ----------------------------------------------------------------------------------------------------


def _turned_branches(node: ast.AST) -> Iterator[Replacement]:
    """The alternative first, under the opposite condition."""
    if isinstance(node, ast.If):
        yield ast.If(_not(node.test), node.orelse or [ast.Pass()], node.body)


def _turned_choices(node: ast.AST) -> Iterator[Replacement]:
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(_not(node.test), node.orelse, node.body)


def _named_values(node: ast.AST) -> Iterator[Replacement]:
    """A variable for a value that is assigned, returned, or used as a condition."""
    held, name = ast.Name("held", ast.Store()), ast.Name("held", ast.Load())
    if isinstance(node, ast.Return) and node.value is not None:
        yield [ast.Assign([held], node.value), ast.Return(name)]
    if isinstance(node, ast.Assign):
        yield [ast.Assign([held], node.value), ast.Assign(node.targets, name)]
    if isinstance(node, ast.If):
        yield [ast.Assign([held], node.test), ast.If(name, node.body, node.orelse)]


def _plain_assignments(node: ast.AST) -> Iterator[Replacement]:
    """``x += y`` as ``x = x + y``, for names and attributes."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name | ast.Attribute):
        read = copy.copy(node.target)
        read.ctx = ast.Load()
        yield ast.Assign([node.target], ast.BinOp(read, node.op, node.value))


def _counting_loops(node: ast.AST) -> Iterator[Replacement]:
    """``for i in range(n)`` as a counting ``while``; none of its names may be assigned in the loop."""
    match node:
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[ast.Name() as end])):
            if not {name, end.id} & _stored(node.body) and not _has(node.body, ast.Continue) and not node.orelse:
                begin = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0))
                count = ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), ast.Constant(1))
                test = ast.Compare(ast.Name(name, ast.Load()), [ast.Lt()], [end])
                yield [begin, ast.While(test, [*node.body, count], [])]


def _iterated_by_hand(node: ast.AST) -> Iterator[Replacement]:
    """``for`` as a ``while`` that calls ``next`` on an iterator."""
    if isinstance(node, ast.For) and not node.orelse:
        begin = ast.Assign([ast.Name("coming", ast.Store())], _call("iter", node.iter))
        following = ast.Assign([node.target], _call("next", ast.Name("coming", ast.Load())))
        over = ast.ExceptHandler(ast.Name("StopIteration", ast.Load()), None, [ast.Break()])
        yield [begin, ast.While(_true(), [ast.Try([following], [over], [], []), *node.body], [])]


def _indexed_loops(node: ast.AST) -> Iterator[Replacement]:
    """``for x in xs`` over the indices of ``xs``, a name that is not assigned in the loop."""
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Name) and node.iter.id not in _stored(node.body):
        place = ast.Name("place", ast.Load())
        item = ast.Assign([node.target], ast.Subscript(node.iter, place, ast.Load()))
        places = _call("range", _call("len", node.iter))
        yield ast.For(ast.Name("place", ast.Store()), places, [item, *node.body], node.orelse)


def _broken_loops(node: ast.AST) -> Iterator[Replacement]:
    """``while a`` as ``while True`` with a break if not ``a``."""
    if isinstance(node, ast.While) and not node.orelse:
        yield ast.While(_true(), [ast.If(_not(node.test), [ast.Break()], []), *node.body], [])


def _loops_for_comprehensions(node: ast.AST) -> Iterator[Replacement]:
    """A returned list comprehension as a loop that appends."""
    match node:
        case ast.Return(value=ast.ListComp(elt=elt, generators=[ast.comprehension() as part])) if not part.ifs:
            append = ast.Attribute(ast.Name("made", ast.Load()), "append", ast.Load())
            body: list[ast.stmt] = [ast.Expr(ast.Call(append, [elt], []))]
            begin = ast.Assign([ast.Name("made", ast.Store())], ast.List([], ast.Load()))
            yield [begin, ast.For(part.target, part.iter, body, []), ast.Return(ast.Name("made", ast.Load()))]


def _dead_code(node: ast.AST) -> Iterator[Replacement]:
    """Unreachable or useless code."""
    if isinstance(node, ast.Return):
        never = ast.If(ast.Constant(False), [ast.Return(ast.Constant(None))], [])  # noqa: FBT003
        yield [never, node]
    if isinstance(node, ast.While | ast.For):
        yield [ast.Assign([ast.Name("unused", ast.Store())], ast.Constant(0)), node]


def _reordered(node: ast.AST) -> Iterator[Replacement]:
    """Two independent assignments in the opposite order."""
    if not isinstance(node, Function | ast.For | ast.While):
        return
    for place, (one, other) in enumerate(zip(node.body, node.body[1:], strict=False)):
        if _independent(one, other):
            changed = copy.copy(node)
            changed.body = [*node.body[:place], other, one, *node.body[place + 2 :]]
            yield changed


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    if not all(isinstance(each, ast.Assign) and _is_simple(each) for each in (one, other)):
        return False
    stored, read = [_stored([each]) for each in (one, other)], [_loaded([each]) for each in (one, other)]
    return not stored[0] & (stored[1] | read[1]) and not stored[1] & read[0]


def _is_simple(assign: ast.Assign) -> bool:
    """Whether it only sets names or attributes of ``self``, and only calls functions without side effects."""
    calls = [each.func for each in ast.walk(assign.value) if isinstance(each, ast.Call)]
    looking = {"len", "list", "abs", "sorted", "min", "max", "int"}
    pure = all(isinstance(function, ast.Name) and function.id in looking for function in calls)
    return pure and all(isinstance(target, ast.Name | ast.Attribute) for target in assign.targets)


def _inner_functions(node: ast.AST) -> Iterator[Replacement]:
    """The body as a function within the function."""
    if isinstance(node, Function) and not node.name.startswith("__"):
        inner = copy.copy(node)
        inner.name = "inner"
        arguments = [ast.Name(argument.arg, ast.Load()) for argument in node.args.args]
        outer = copy.copy(node)
        outer.body = [inner, ast.Return(ast.Call(ast.Name("inner", ast.Load()), [*arguments], []))]
        yield outer


def _hints(node: ast.AST) -> Iterator[Replacement]:
    """Types for the parameters."""
    if isinstance(node, Function):
        changed = copy.deepcopy(node)
        for argument in changed.args.args:
            argument.annotation = ast.Name("object", ast.Load())
        yield changed


def _documented(node: ast.AST) -> Iterator[Replacement]:
    if isinstance(node, Function) and not ast.get_docstring(node):
        changed = copy.copy(node)
        changed.body = [ast.Expr(ast.Constant("Rewritten; it does what it did.")), *node.body]
        yield changed


# --- whole programs ------------------------------------------------------------------------------------------------


def _renamed(tree: ast.Module) -> Iterator[str]:
    """All variables and parameters of a function under other names, and each alone."""
    for function in [node for node in ast.walk(tree) if isinstance(node, Function)]:
        names = sorted(_locals(function))
        for some in [names, *([name] for name in names if len(names) > 1)]:
            changed = copy.deepcopy(function)
            _Renaming({name: f"{name}_renamed" for name in some}).visit(changed)
            yield replaced(tree, function, changed)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A use of it."""
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """A parameter."""
        return ast.arg(self._names.get(node.arg, node.arg), node.annotation)


def _extracted(tree: ast.Module) -> Iterator[str]:
    """An expression that is assigned, returned or a condition, as a function of the names that it reads."""
    for function in [node for node in tree.body if isinstance(node, Function)]:
        for node in ast.walk(function):
            value = node.test if isinstance(node, ast.If | ast.While) else getattr(node, "value", None)
            if isinstance(node, ast.Return | ast.Assign | ast.If | ast.While) and isinstance(value, ast.expr):
                known = _locals(function) | {each.name for each in ast.walk(function) if isinstance(each, Function)}
                read = sorted((known - {function.name}) & _loaded([value]) - _bound(value))
                if read:
                    yield _with_helper(tree, value, read)


def _with_helper(tree: ast.Module, value: ast.expr, read: Sequence[str]) -> str:
    made = ast.parse(f"def helper({', '.join(read)}):\n    return {ast.unparse(value)}\n").body[0]
    text = replaced(tree, value, _call("helper", *(ast.Name(name, ast.Load()) for name in read)))
    changed = ast.parse(text)
    changed.body.append(made)
    return ast.unparse(changed) + "\n"


def _behind_a_lambda(tree: ast.Module) -> Iterator[str]:
    """``solve`` under another name, and a lambda that calls it."""
    for function in tree.body:
        if isinstance(function, Function) and function.name == "solve":
            changed = copy.copy(function)
            changed.name = "solved"
            names = ", ".join(argument.arg for argument in function.args.args)
            yield replaced(tree, function, changed) + f"\nsolve = lambda {names}: solved({names})\n"


def _remarked(tree: ast.Module) -> Iterator[str]:
    """A comment at the beginning, and no docstring of the module."""
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    yield "# Rewritten; it does what it did.\n\n" + ast.unparse(ast.Module(body, [])) + "\n\n\n# The end.\n"


# --- names ---------------------------------------------------------------------------------------------------------


def _locals(function: ast.FunctionDef) -> set[str]:
    parameters = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    return (parameters | _stored(function.body)) - {"self"}


def _names(nodes: Iterable[ast.AST], context: type[ast.expr_context]) -> set[str]:
    inner = (each for node in nodes for each in ast.walk(node))
    return {each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, context)}


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    return _names(nodes, ast.Store)


def _loaded(nodes: Iterable[ast.AST]) -> set[str]:
    return _names(nodes, ast.Load) - set(vars(builtins))


def _bound(value: ast.expr) -> set[str]:
    """Return the names that an expression binds itself, in comprehensions and lambdas."""
    return _stored([value]) | {each.arg for each in ast.walk(value) if isinstance(each, ast.arg)}


def _has(nodes: Iterable[ast.AST], kind: type[ast.AST]) -> bool:
    return any(isinstance(each, kind) for node in nodes for each in ast.walk(node))


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _true() -> ast.expr:
    return ast.Constant(True)  # noqa: FBT003


def _with_test(node: ast.If | ast.While, test: ast.expr) -> ast.stmt:
    changed = copy.copy(node)
    changed.test = test
    return changed


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


RULES: Final[Mapping[str, Rule]] = {
    "comparison commuted": _commuted,
    "not the opposite": _not_the_opposite,
    "De Morgan": _de_morgan,
    "slice from 0": _whole_slices,
    "constant as a sum": _constants_summed,
    "constructor called": _called_constructors,
    "min by hand": _smaller_by_hand,
    "branches turned": _turned_branches,
    "choice turned": _turned_choices,
    "value named": _named_values,
    "augmented assignment expanded": _plain_assignments,
    "for to counting while": _counting_loops,
    "for to iterator": _iterated_by_hand,
    "for by index": _indexed_loops,
    "while True": _broken_loops,
    "comprehension to loop": _loops_for_comprehensions,
    "comprehension to generator": _listed_generators,
    "lambda": _lambdas,
    "dead code": _dead_code,
    "statements reordered": _reordered,
    "inner function": _inner_functions,
    "type hints": _hints,
    "docstring": _documented,
}
WHOLE: Final[Mapping[str, WholeRule]] = {
    "renamed": _renamed,
    "helper extracted": _extracted,
    "behind a lambda": _behind_a_lambda,
    "other words": _remarked,
}
