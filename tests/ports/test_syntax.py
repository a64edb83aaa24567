"""The parser, asked from several threads."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from mendel.ports.syntax import expression_tree, module_tree, steadily

TEXT = "def f(a):\n    return [x + (1 * (2 + (3 - a))) for x in range(a) if x]\n" * 50


@pytest.fixture
def finalisers_everywhere() -> Iterator[None]:
    """The collector runs often, and Python code in it, at which threads may change."""

    def finaliser(_phase: str, _info: object) -> None:
        for _ in range(3):
            pass

    threshold, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(finaliser)
    gc.set_threshold(50)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    gc.callbacks.remove(finaliser)


@pytest.mark.usefixtures("finalisers_everywhere")
def test_threads_that_parse_at_once_all_get_their_tree():
    with ThreadPoolExecutor(3) as pool:
        trees = list(pool.map(lambda _: len(module_tree(TEXT).body), range(60)))
    assert trees == [50] * 60


def test_what_is_wrong_with_a_text_is_said():
    with pytest.raises(SyntaxError, match=r"never closed|unexpected EOF"):
        module_tree("f(")
    with pytest.raises(SyntaxError):
        expression_tree("a = 1")
    assert isinstance(expression_tree("a + 1").body, ast.BinOp)


def test_another_failure_of_the_interpreter_is_its_own():
    def broken() -> None:
        raise SystemError("out of order")

    with pytest.raises(SystemError, match="out of order"):
        steadily(broken)
