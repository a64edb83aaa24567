"""Which mutants there are of a room, and which of them are drawn from a seed.

Only what runs inside functions is changed, so that a mutant can be put into modules that are imported already. By rule
these are no mutants: docstrings, annotations, decorators, defaults of parameters, the texts of errors and f-strings,
and a change of which names a function closes over.
"""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

from benchmarks.mutants import OPERATORS, Replacement

Key = tuple[str, int]
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


class Mutant(NamedTuple):
    """One change at one place: the ``choice``-th that the operator offers for the ``place``-th node of the file."""

    path: Path
    place: int
    operator: str
    choice: int
    lines: range

    def tell(self, root: Path) -> str:
        """What it is, as one line: where, and what became of what."""
        node = _places_of(self.path)[self.place]
        new = list(OPERATORS[self.operator](node))[self.choice]
        became = "nothing" if new is None else "; ".join(map(_text_of, new if isinstance(new, list) else [new]))
        was, became = (" ".join(text.split())[:80] for text in (ast.unparse(node), became))
        around = _function_around(self.path, self.lines.start)
        function = around.name if around else "module"
        return f"{self.path.relative_to(root)}:{self.lines.start} {function} {self.operator}: {was} -> {became}"

    @property
    def function(self) -> tuple[str, int]:
        """The file and the first line of the function around it, as its code object has them."""
        around = _function_around(self.path, self.lines.start)
        assert around is not None, "only what runs inside functions is changed"
        return str(self.path), min(each.lineno for each in (around, *around.decorator_list))

    def codes(self) -> dict[Key, CodeType]:
        """The code of every function of the changed file."""
        tree = ast.parse(self.path.read_text())
        node = list(places(tree))[self.place]
        new = list(OPERATORS[self.operator](node))[self.choice]
        _Replacing(node, new).visit(tree)
        return dict(_functions(compile(ast.fix_missing_locations(tree), str(self.path), "exec")))


def drawn(room: Path, count: int, seed: int) -> list[Mutant]:
    """As many mutants of the room, every one as likely as any other; by file and line."""
    everything = list(_all_of(room))
    random.Random(seed).shuffle(everything)
    found: list[Mutant] = []
    for mutant in everything:
        if len(found) == count:
            break
        if _can_be_put_in(mutant):
            found.append(mutant)
    return sorted(found)


def alike(room: Path, root: Path, told: Iterable[str]) -> list[Mutant]:
    """The mutants that another version of the room had, by what ``tell`` said of them, in any file and line."""
    wanted = Counter(map(_without_place, told))
    found: list[Mutant] = []
    for mutant in _all_of(room):
        text = _without_place(mutant.tell(root))
        if wanted[text] and _can_be_put_in(mutant):
            wanted[text] -= 1
            found.append(mutant)
    return found


def _text_of(new: ast.AST) -> str:
    # What an operator makes has no lines yet, and may be made of nodes that have some.
    return ast.unparse(ast.fix_missing_locations(deepcopy(new)))


def _without_place(told: str) -> str:
    return re.sub(r"^\S+:\d+ ", "", told)


def _all_of(room: Path) -> Iterator[Mutant]:
    data = room / "tasks" / "programs"  # what is judged
    for path in sorted(path for path in room.rglob("*.py") if data not in path.parents):
        yield from _mutants(path)


@cache
def _tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _places_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(places(_tree_of(path)))


@cache
def _function_around(path: Path, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function around a line."""
    around = [
        each
        for each in ast.walk(_tree_of(path))
        if isinstance(each, _FUNCTIONS) and each.lineno <= line <= (each.end_lineno or line)
    ]
    return max(around, key=lambda each: each.lineno, default=None)


def places(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node that may be changed, in the order of the text."""
    for node in tree.body:
        yield from _below(node, inside=False)


def _below(node: ast.AST, *, inside: bool) -> Iterator[ast.AST]:
    if isinstance(node, _FUNCTIONS):
        for each in node.body[ast.get_docstring(node) is not None :]:
            yield from _below(each, inside=True)
    elif isinstance(node, ast.ClassDef):
        for each in node.body:
            yield from _below(each, inside=False)
    elif isinstance(node, ast.Lambda):
        yield from _below(node.body, inside=inside)
    elif inside and not isinstance(node, ast.JoinedStr):
        yield node
        for each in _children(node):
            yield from _below(each, inside=True)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.AnnAssign):
        yield from () if node.value is None else (node.value,)
    elif isinstance(node, ast.Raise):
        yield from (each for each in ast.walk(node) if isinstance(each, ast.Call) and each is not node.exc)
    else:
        yield from ast.iter_child_nodes(node)


def _mutants(path: Path) -> Iterator[Mutant]:
    for place, node in enumerate(_places_of(path)):
        if isinstance(node, ast.expr | ast.stmt):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            for name, operator in OPERATORS.items():
                yield from (Mutant(path, place, name, choice, lines) for choice, _ in enumerate(operator(node)))


def _can_be_put_in(mutant: Mutant) -> bool:
    original = dict(_functions(compile(mutant.path.read_text(), str(mutant.path), "exec")))
    try:
        changed = mutant.codes()
    except (SyntaxError, ValueError):
        return False
    same_shape = all(key in original and original[key].co_freevars == code.co_freevars for key, code in changed.items())
    return same_shape and changed != original


def _functions(code: CodeType) -> Iterator[tuple[Key, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _functions(constant)


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: Replacement) -> None:
        self._old = old
        self._new = [ast.Pass()] if new is None else new

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        """Put the new one in the old one's place, and on its lines."""
        if node is not self._old:
            found: ast.AST = self.generic_visit(node)
            return found
        for each in self._new if isinstance(self._new, list) else [self._new]:
            ast.copy_location(each, node)
        return self._new
