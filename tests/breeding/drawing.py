"""What a case of a rewrite is, and inputs drawn for it."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def numbers(draw, least=0):
    return [draw.randrange(9) for _ in range(draw.randrange(least, 10))]


def lists(draw):
    return (numbers(draw),)


def full_lists(draw):
    return (numbers(draw, 2),)


def two_lists(draw):
    return numbers(draw), numbers(draw)


def two_long_lists(draw):
    """Neither of them empty, as a table's rows are not."""
    return numbers(draw, 4), numbers(draw, 4)


def short_lists(draw):
    return numbers(draw)[:5], numbers(draw)[:5]


def list_and_turned(draw):
    drawn = numbers(draw)
    return drawn, drawn[::-1]


def list_and_number(draw):
    return numbers(draw), draw.randrange(9)


def sorted_and_number(draw):
    return sorted(numbers(draw)), draw.randrange(9)


def number(draw):
    return (draw.randrange(2, 30),)


def small_number(draw):
    return (draw.randrange(12),)


def words(draw):
    return (["".join(draw.choice("ab") for _ in range(draw.randrange(4))) for _ in range(draw.randrange(6))],)


@dataclass(frozen=True)
class Case:
    """A program, the operator that helps, what the result must hold, inputs, and whether fewer opcodes are claimed."""

    source: str
    operator: str
    wanted: str
    inputs: Callable[[random.Random], tuple[Any, ...]]
    faster: bool = True
