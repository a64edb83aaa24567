"""The specification of a replacement expression, from observations: environments, and the wanted value in each."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from mendel.breeding.library.blocks import Block, changed_by
from mendel.breeding.library.observing import Observation
from mendel.breeding.view import body_of
from mendel.contracts.plain_values import spelled

MOST_ENVIRONMENTS: Final = 14
MOST_CONSTANTS: Final = 6
MOST_HINTS: Final = 3
_MOST_CHARACTERS: Final = 40
RETURN: Final = "return"


@dataclass(frozen=True)
class Goal:
    """The value of a name after a block, or the returned value; ``in_place``: it is the list that the caller passed."""

    number: int
    name: str
    environments: tuple[Mapping[str, Any], ...]
    wanted: tuple[Any, ...]
    in_place: bool = False

    @property
    def varied(self) -> bool:
        """Whether the wanted values differ; otherwise a constant would satisfy the goal."""
        return len({spelled(value) for value in self.wanted}) > 1


def goals_of(number: int, block: Block, seen: Sequence[Observation]) -> list[Goal]:
    """Return the goals of a block; empty if the observations are too few or contradict each other."""
    if block.kind == "run":
        found = [_goal(number, block, name, seen) for name in _left_behind(block, seen)]
    else:
        found = [_goal(number, block, RETURN, seen)]
        found += [_goal(number, block, name, seen) for name in _changed_in_place(block, seen) if block.kind == "tail"]
    goals = [goal for goal in found if goal is not None]
    complete = len(goals) == len(found) or block.kind != "run"  # a run must produce all of its names
    return goals if complete and any(goal.varied for goal in goals) else []


def _left_behind(block: Block, seen: Sequence[Observation]) -> list[str]:
    """Return the names that a run binds or changes and that may be read later, in the function or by its caller."""
    changed = set(changed_by(block)) | {name for each in seen for name in _changed(each)}
    return sorted(changed & (block.alive | set(_changed_in_place(block, seen))))


def _changed_in_place(block: Block, seen: Sequence[Observation]) -> list[str]:
    """Return the parameters whose objects the block mutates."""
    kept = [set(_changed(each)) & (each.same if block.kind == "run" else set(each.before)) for each in seen]
    return sorted(block.given.intersection(set().union(*kept)))


def _changed(each: Observation) -> list[str]:
    return [
        name
        for name in {**each.before, **each.after}
        if name != RETURN
        and (
            name not in each.before or name not in each.after or spelled(each.before[name]) != spelled(each.after[name])
        )
    ]


def _goal(number: int, block: Block, name: str, seen: Sequence[Observation]) -> Goal | None:
    by_environment: dict[bytes, tuple[Mapping[str, Any], Any]] = {}
    same = bool(seen)
    for each in seen:
        if name not in each.after:
            return None
        environment = {key: each.before[key] for key in sorted(each.before) if key in block.read}
        known = by_environment.setdefault(spelled(environment), (environment, each.after[name]))
        if spelled(known[1]) != spelled(each.after[name]):
            return None  # the same environment gave two values, so the value depends on something else
        same &= type(each.after[name]) is list and (name in each.same if block.kind == "run" else name in each.before)
    chosen = _spread(list(by_environment.values()))
    if len(chosen) < 2 or not any(environment for environment, _ in chosen):  # too little to determine an expression
        return None
    in_place = same and name in block.given
    return Goal(number, name, tuple(each for each, _ in chosen), tuple(each for _, each in chosen), in_place)


def _spread(pairs: Sequence[tuple[Mapping[str, Any], Any]]) -> list[tuple[Mapping[str, Any], Any]]:
    """Choose at most ``MOST_ENVIRONMENTS`` pairs, taking the wanted values in turns so that all are represented."""
    by_wanted: dict[bytes, list[tuple[Mapping[str, Any], Any]]] = {}
    for pair in pairs:
        by_wanted.setdefault(spelled(pair[1]), []).append(pair)
    turns = zip_longest(*by_wanted.values())
    return [pair for turn in turns for pair in turn if pair is not None][:MOST_ENVIRONMENTS]


def constants_of(block: Block) -> list[Any]:
    """Return the short literals of the function: numbers and strings."""
    nodes = [node for statement in body_of(block.function) for node in ast.walk(statement)]
    found = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) in (int, float, str)]
    short = [value for value in found if not isinstance(value, str) or len(value) <= _MOST_CHARACTERS]
    return list({spelled(value): value for value in short}.values())[:MOST_CONSTANTS]


def hints_of(block: Block) -> list[str]:
    """Return the iterables of the block's loops that consist only of names, numbers and a few builtins."""
    loops = [node for each in block.nodes for node in ast.walk(each) if isinstance(node, ast.For | ast.comprehension)]
    return list(dict.fromkeys(ast.unparse(loop.iter) for loop in loops if _is_harmless(loop.iter)))[:MOST_HINTS]


def _is_harmless(expression: ast.expr) -> bool:  # strict, because the search evaluates hints
    for node in ast.walk(expression):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _PLAIN_CALLS):
            return False
        if isinstance(node, ast.expr) and not isinstance(node, _PLAIN_NODES):
            return False
    return not any(
        isinstance(node, ast.operator) and not isinstance(node, ast.Add | ast.Sub) for node in ast.walk(expression)
    )


_PLAIN_CALLS: Final = ("range", "len", "sorted", "reversed", "min", "max", "set")
_PLAIN_NODES: Final = (ast.Call, ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice)
