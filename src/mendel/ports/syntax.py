"""The parser of Python, for texts that are parsed while other threads parse.

Up to 3.11.7 and 3.12.1 the interpreter counts how deep it is in a tree in one place for all threads (cpython issue
106905). If the collector runs a finaliser in the middle of that, another thread may count on, and the first one raises
a ``SystemError`` about a text that has nothing wrong with it. Asked again, it answers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
_TRIES: Final = 50
_STUMBLED: Final = "recursion depth mismatch"


def steadily(step: Callable[[], T]) -> T:
    """What ``step`` answers, which parses or compiles; asked again where the interpreter stumbled over itself."""
    for _ in range(_TRIES):
        try:
            return step()
        except SystemError as error:
            if _STUMBLED not in str(error):
                raise
    return step()


def module_tree(text: str, name: str = "<text>") -> ast.Module:
    """As ``ast.parse``."""
    return steadily(lambda: ast.parse(text, name))


def expression_tree(text: str, name: str = "<text>") -> ast.Expression:
    """As ``ast.parse`` with the mode ``eval``."""
    return steadily(lambda: ast.parse(text, name, "eval"))
