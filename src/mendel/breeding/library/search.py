"""Search for library calls with the observed behaviour of a part of a program, and offer them as replacements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from mendel.breeding.code import Edit
from mendel.breeding.library.blocks import Block, blocks_of
from mendel.breeding.library.goals import Goal, constants_of, goals_of, hints_of
from mendel.breeding.library.observing import LOOKING, MOST_INPUTS, line_hits, observe
from mendel.breeding.library.offers import offers
from mendel.breeding.library.shipping import inside
from mendel.breeding.view import View
from mendel.contracts.evaluations import NOTHING_GRANTED, Case, Grants, Limits, Outcome
from mendel.ports.sandbox import Sandbox
from mendel.ports.syntax import expression_tree

MOST_GOALS: Final = 24
MOST_FOUND: Final = 8
MOST_CHARACTERS: Final = 300
CALLS_PER_SECOND: Final = 300_000
"""Calls per second of a slow machine: the limit on work is reached before the limit on time."""
LEAST_CALLS: Final = 25_000
MOST_CALLS: Final = 150_000
PATIENCE: Final = 3.0
"""Time limit per goal, as a multiple of the time that its share of the work should take."""
_BOUND: Final = ("v", "w", "u", "t", "item", "other", "item_", "other_")


async def library_edits(
    view: View,
    inputs: Sequence[tuple[Any, ...]],
    sandbox: Sandbox,
    *,
    entry: str,
    budget_s: float = 2.0,
    patience: float = PATIENCE,
    limits: Limits = LOOKING,
    grants: Grants = NOTHING_GRANTED,
) -> tuple[Edit, ...]:
    """Return edits that replace blocks by expressions: the largest blocks first, with the smallest expressions first.

    The expressions have the blocks' values on a few small ``inputs``, which only makes them worth a try. The same
    inputs give the same edits, unless the machine is so slow that the time limit ends the search: ``patience`` times
    the expected time. ``entry`` is the name of the function that is called. ``limits`` apply to the observation and,
    except for time, to the search.

    Raises:
        SandboxError: the sandbox itself failed; failures of the program do not raise it.
    """
    blocks = blocks_of(view)
    if not blocks or not inputs:
        return ()
    seen = await observe(view, blocks, inputs[:MOST_INPUTS], sandbox, entry=entry, limits=limits, grants=grants)
    goals = [goal for number, block in enumerate(blocks) for goal in goals_of(number, block, seen[number])][:MOST_GOALS]
    found = await _synthesised(view, blocks, goals, sandbox, budget_s, patience, limits, grants)
    edits = [
        edit
        for number, block in enumerate(blocks)
        for edit in offers(view, block, [(goal, found[goal.name, number]) for goal in goals if goal.number == number])
    ]
    return tuple({edit.changes: edit for edit in edits}.values())  # different goals may give the same change


async def heat(
    view: View,
    inputs: Sequence[tuple[Any, ...]],
    sandbox: Sandbox,
    *,
    entry: str,
    limits: Limits = LOOKING,
    grants: Grants = NOTHING_GRANTED,
) -> dict[int, float]:
    """Return the share of each line of the editable functions in all executed lines, counting each line once more.

    Raises:
        SandboxError: the sandbox itself failed; failures of the program do not raise it.
    """
    lines = lines_of(view)
    counts = dict.fromkeys(lines, 1)
    hits = await line_hits(view, inputs[:MOST_INPUTS], sandbox, entry=entry, limits=limits, grants=grants)
    for each in hits:
        for line in lines:
            counts[line] += each.get(line, 0)
    total = sum(counts.values())
    return {line: count / total for line, count in counts.items()}


def lines_of(view: View) -> list[int]:
    """Return the line numbers of the editable functions."""
    spans = [range(each.lineno, (each.end_lineno or each.lineno) + 1) for each in view.functions]
    return sorted({line for span in spans for line in span})


async def _synthesised(
    view: View,
    blocks: Sequence[Block],
    goals: Sequence[Goal],
    sandbox: Sandbox,
    budget_s: float,
    patience: float,
    limits: Limits,
    grants: Grants,
) -> dict[tuple[str, int], list[str]]:
    if not goals:
        return {}
    calls = max(LEAST_CALLS, min(MOST_CALLS, int(budget_s * CALLS_PER_SECOND / len(goals))))
    seconds = patience * calls / CALLS_PER_SECOND
    packages = [name for name in grants.packages if name in view.packages]
    cases = [_case(view, blocks[goal.number], goal, packages, calls, seconds) for goal in goals]
    evaluation = await sandbox.evaluate(
        inside("synthesis", "synthesise"),
        cases,
        # The sandbox's limit is a backstop: the search stops itself after `seconds`.
        limits=replace(limits, case_s=2 * seconds + 1, batch_s=patience * budget_s + 1),
        grants=Grants(packages=tuple(packages)),
    )
    return {
        (goal.name, goal.number): _expressions(outcome)
        for goal, outcome in zip(goals, evaluation.outcomes, strict=True)
    }


def _case(view: View, block: Block, goal: Goal, packages: list[str], calls: int, seconds: float) -> Case:
    taken = {node.id for node in ast.walk(view.code.tree) if isinstance(node, ast.Name)} | block.given
    bound = [name for name in _BOUND if name not in taken][:2]  # a comprehension binds one name or two
    if len(bound) < 2:
        bound = ["v_of_mendel", "w_of_mendel"]
    environments = [dict(each) for each in goal.environments]
    return Case(
        (environments, list(goal.wanted), constants_of(block), bound, hints_of(block), packages, calls, seconds)
    )


def _expressions(outcome: Outcome) -> list[str]:
    """Return the expressions in a result; it is untrusted, so anything else is dropped."""
    told = outcome.value if outcome.succeeded else None
    texts = [text for text in told if type(text) is str] if type(told) is list else []
    return [text for text in texts[:MOST_FOUND] if len(text) <= MOST_CHARACTERS and _parses(text)]


def _parses(text: str) -> bool:
    try:
        expression_tree(text)
    except (SyntaxError, ValueError):
        return False
    return True
