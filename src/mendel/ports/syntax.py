"""The Python parser, made safe for texts that are parsed while other threads parse.

Up to 3.11.7 and 3.12.1 the interpreter keeps its recursion depth in one counter for all threads (cpython issue 106905).
If the garbage collector runs a finaliser during a parse, another thread may change the counter, and the parser raises a
``SystemError`` for a valid text. A retry succeeds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
_TRIES: Final = 50
_STUMBLED: Final = "recursion depth mismatch"


def steadily(step: Callable[[], T]) -> T:
    """Run ``step``, which parses or compiles, and retry it after that interpreter error."""
    for _ in range(_TRIES):
        try:
            return step()
        except SystemError as error:
            if _STUMBLED not in str(error):
                raise
    return step()


def module_tree(text: str, name: str = "<text>") -> ast.Module:
    """Like ``ast.parse``."""
    return steadily(lambda: ast.parse(text, name))


def expression_tree(text: str, name: str = "<text>") -> ast.Expression:
    """Like ``ast.parse`` with the mode ``eval``."""
    return steadily(lambda: ast.parse(text, name, "eval"))
