"""Observe the parts of a program: its instrumented text runs in the sandbox, and nowhere else.

The results are untrusted, because the candidate could fake them. They are read as data with a checked shape; a
candidate with fake observations only gets variations that fit them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mendel.breeding.code import Function, tree_of
from mendel.breeding.library.blocks import Block
from mendel.breeding.library.shipping import inside, is_plain
from mendel.breeding.view import View
from mendel.contracts.evaluations import MIB, NOTHING_GRANTED, Case, Grants, Limits, Outcome, Program
from mendel.ports.sandbox import Sandbox
from mendel.ports.syntax import expression_tree, module_tree

MOST_INPUTS: Final = 16
MOST_DEATHS: Final = 3
MOST_BYTES: Final = 2 * MIB
MOST_SEEN: Final = 200
"""Maximum number of executions kept per block, regardless of how many a candidate reports."""
LOOKING: Final = Limits(case_s=0.5, batch_s=3.0)
_PROBE: Final = "_mendel_probe"
_VISIT: Final = "_mendel"


@dataclass(frozen=True)
class Observation:
    """Plain locals before and after one execution of a block, and the names that still refer to the same object.

    For a block with a value, that is ``after["return"]``, and ``same`` are the names that refer to this object.
    """

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    same: frozenset[str]


async def observe(
    view: View,
    blocks: Sequence[Block],
    inputs: Sequence[tuple[Any, ...]],
    sandbox: Sandbox,
    *,
    entry: str,
    limits: Limits = LOOKING,
    grants: Grants = NOTHING_GRANTED,
) -> list[list[Observation]]:
    """Return the observations of each block while the program is called with the inputs.

    Raises:
        SandboxError: the sandbox itself failed; failures of the program do not raise it.
    """
    program = inside("probe", "observe", instrumented(view, blocks))
    outcomes = await _called(_cases(entry, inputs), sandbox, program, limits, grants)
    seen: list[list[Observation]] = [[] for _ in blocks]
    for outcome in outcomes:
        for number, observation in _records(outcome, len(blocks)):
            if len(seen[number]) < MOST_SEEN:
                seen[number].append(observation)
    return seen


async def line_hits(
    view: View,
    inputs: Sequence[tuple[Any, ...]],
    sandbox: Sandbox,
    *,
    entry: str,
    limits: Limits = LOOKING,
    grants: Grants = NOTHING_GRANTED,
) -> list[dict[int, int]]:
    """Count, for each input, how often each line ran until the program returned, raised or ran for too long.

    The counts are empty for an input that made the process die.

    Raises:
        SandboxError: the sandbox itself failed; failures of the program do not raise it.
    """
    program = inside("probe", "cover", view.code.text)
    outcomes = await _called(_cases(entry, inputs), sandbox, program, limits, grants)
    return [_hits(outcome, view.code.text.count("\n") + 1) for outcome in outcomes]


def _cases(entry: str, inputs: Sequence[tuple[Any, ...]]) -> list[Case]:
    return [Case((entry, tuple(args))) for args in inputs]


async def _called(
    cases: Sequence[Case], sandbox: Sandbox, program: Program, limits: Limits, grants: Grants
) -> tuple[Outcome, ...]:
    small = replace(limits, result_bytes=min(limits.result_bytes, MOST_BYTES))
    evaluation = await sandbox.evaluate(program, cases, limits=small, grants=grants, most_deaths=MOST_DEATHS)
    return evaluation.outcomes


def _hits(outcome: Outcome, lines: int) -> dict[int, int]:
    told = outcome.value if outcome.succeeded else None
    if type(told) is not dict:
        return {}
    return {
        line: count
        for line, count in told.items()
        # The result is untrusted, so everything is checked.
        if type(line) is int and type(count) is int and 1 <= line <= lines and 0 < count < 1 << 40
    }


def _records(outcome: Outcome, blocks: int) -> Iterator[tuple[int, Observation]]:
    told = outcome.value if outcome.succeeded else None
    for record in told if type(told) is list else []:
        if type(record) is not tuple or [type(part) for part in record] != [int, dict, dict, list]:
            continue
        number, before, after, same = record
        names = [*before, *after, *same]
        if 0 <= number < blocks and all(type(name) is str for name in names) and is_plain(before) and is_plain(after):
            yield number, Observation(before, after, frozenset(same))


# --- rewriting ----------------------------------------------------------------------------------------------------


def instrumented(view: View, blocks: Sequence[Block]) -> str:
    """Return the program's text with probes at the blocks; its formatting is not preserved."""
    tree = tree_of(view.code.text)  # a second tree, since the view's must stay as it is
    twins = dict(zip(ast.walk(view.code.tree), ast.walk(tree), strict=True))  # trees of one text have the same order
    rewriting = _Rewriting(twins)
    for number, block in enumerate(blocks):
        rewriting.mark(number, block)
    made = rewriting.visit(tree)
    # The docstring and __future__ imports must stay first.
    place = next((at for at, node in enumerate(made.body) if not _comes_first(node)), len(made.body))
    made.body[place:place] = module_tree(f"import mendel.breeding.library.inside.probe as {_PROBE}").body
    return ast.unparse(ast.fix_missing_locations(made))


def _comes_first(node: ast.stmt) -> bool:
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


class _Rewriting(ast.NodeTransformer):
    """Inserts the marked probes; each function with a probe creates a ``Visit`` and reports its returned values."""

    def __init__(self, twins: Mapping[ast.AST, ast.AST]) -> None:
        self._twins = twins
        self._before: dict[ast.AST, list[ast.stmt]] = {}
        self._after: dict[ast.AST, list[ast.stmt]] = {}
        self._values: dict[ast.AST, int] = {}
        self._functions: set[ast.AST] = set()
        self._within: list[bool] = []

    def mark(self, number: int, block: Block) -> None:
        """Mark a block for observation under a number."""
        first, last = self._twins[block.nodes[0]], self._twins[block.nodes[-1]]
        self._functions.add(self._twins[block.function])
        if block.kind == "expression":
            self._values[first] = number
            return
        step = "tail" if block.kind == "tail" else "before"
        self._before.setdefault(first, []).extend(_statements(f"{_VISIT}.{step}({number}, locals())"))
        if block.kind == "run":
            self._after.setdefault(last, []).extend(_statements(f"{_VISIT}.after({number}, locals())"))

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401 - as the base class has it
        """Return the node with its probes."""
        before, after, number = self._before.get(node, []), self._after.get(node, []), self._values.get(node)
        made = super().visit(node)
        if number is not None:
            return _value(number, made)
        return [*before, made, *after] if before or after else made

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: Function) -> ast.AST:
        looked_at = node in self._functions
        self._within.append(looked_at)
        self.generic_visit(node)
        self._within.pop()
        if looked_at:
            node.body = [*_statements(f"{_VISIT} = {_PROBE}.Visit()"), *node.body, *_statements(f"{_VISIT}.out(None)")]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if self._within and self._within[-1]:
            given = node.value or ast.Constant(None)
            node.value = ast.Call(ast.Attribute(ast.Name(_VISIT, ast.Load()), "out", ast.Load()), [given], [])
        return node


def _statements(text: str) -> list[ast.stmt]:
    return module_tree(text).body


def _value(number: int, expression: ast.expr) -> ast.expr:
    probe = expression_tree(f"{_VISIT}.value({number}, {_VISIT}.env({number}, locals()), 0)").body
    assert isinstance(probe, ast.Call)  # noqa: S101 - as it is written one line above
    probe.args[2] = expression
    return probe
