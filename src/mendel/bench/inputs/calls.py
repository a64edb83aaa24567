"""Calls of the function in a user's tests: their literal arguments."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from mendel.bench.inputs.literal_calls import NOT_LITERAL, arguments, distinct, is_call_of, literal
from mendel.bench.inputs.variables import known_after
from mendel.breeding.code import Code, Function
from mendel.guard.spec import Args

MOST_SETS: Final = 1_000
"""Maximum number of combinations of stacked parametrisations."""


def calls_in_tests(source: str, name: str, path: str) -> list[Args]:
    """Return the arguments of ``name(…)`` and ``module.name(…)`` in a file of tests, each once, in order.

    Arguments must be literals: in the call, in a list of ``pytest.mark.parametrize``, or in a variable. Nothing is run.

    Raises:
        SourceNotPython: the file does not parse.
    """
    code = Code(source, path)
    return distinct(_in_body(code.tree.body, name.rsplit(".", 1)[-1], {}))


def _in_body(body: Sequence[ast.stmt], name: str, names: Mapping[str, object]) -> Iterator[Args]:
    known = dict(names)
    for statement in body:
        if isinstance(statement, Function):
            for given in _parameter_sets(statement, known):
                yield from _in_body(statement.body, name, {**known, **given})
        elif isinstance(statement, ast.ClassDef):
            yield from _in_body(statement.body, name, known)
        else:
            yield from _in_statement(statement, name, known)
            known = known_after(statement, known)


def _in_statement(statement: ast.stmt, name: str, known: Mapping[str, object]) -> Iterator[Args]:
    """Yield the calls in a statement; in a loop over literals, once for each of its values."""
    if isinstance(statement, ast.For):
        for given in _loop_sets(statement, known):
            yield from _in_body(statement.body, name, {**known, **given})
        return
    blocks = [
        block for field in ("body", "orelse", "finalbody") if isinstance(block := getattr(statement, field, 0), list)
    ]
    if blocks:
        for block in blocks:
            yield from _in_body(block, name, known)
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and is_call_of(node, name):
            found = arguments(node, known)
            if found is not None:
                yield found


def _loop_sets(loop: ast.For, known: Mapping[str, object]) -> list[dict[str, object]]:
    return _rows(_target_names(loop.target), loop.iter, known) or [{}]


def _target_names(target: ast.expr) -> list[str]:
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return [part.id if isinstance(part, ast.Name) else "" for part in parts]


def _parameter_sets(function: Function, known: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield the parameters of each run of a test; a single empty set if it is not parametrised."""
    tables = [table for each in function.decorator_list if (table := _table(each, known))]
    for combination in itertools.islice(itertools.product(*tables), MOST_SETS):
        yield {name: value for row in combination for name, value in row.items()}


def _table(decorator: ast.expr, known: Mapping[str, object]) -> list[dict[str, object]]:
    if not isinstance(decorator, ast.Call) or not is_call_of(decorator, "parametrize"):
        return []
    given = {keyword.arg: keyword.value for keyword in decorator.keywords}
    names = decorator.args[0] if decorator.args else given.get("argnames")
    values = decorator.args[1] if len(decorator.args) > 1 else given.get("argvalues")
    return [] if names is None or values is None else _rows(_argument_names(names), values, known)


def _argument_names(node: ast.expr) -> list[str]:
    try:
        value = ast.literal_eval(node)
    except NOT_LITERAL:
        return []
    return [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else list(value)


def _rows(names: Sequence[str], table: ast.expr, known: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the names bound to each row of a table, with only the literals of the row."""
    if isinstance(table, ast.Name):
        if not isinstance(known.get(table.id), list | tuple):
            return []
        table = ast.parse(repr(known[table.id]), mode="eval").body  # back to a tree, so that both cases read alike
    rows = table.elts if isinstance(table, ast.List | ast.Tuple | ast.Set) else []
    return [_bound(names, row, known) for row in rows]


def _bound(names: Sequence[str], row: ast.expr, known: Mapping[str, object]) -> dict[str, object]:
    cells = [row]
    if isinstance(row, ast.Call) and is_call_of(row, "param"):
        cells = row.args
    elif len(names) > 1 and isinstance(row, ast.Tuple | ast.List):
        cells = row.elts
    bound: dict[str, object] = {}
    for name, cell in zip(names, cells, strict=False):
        with suppress(*NOT_LITERAL):
            bound[name] = literal(cell, known)
    return bound
