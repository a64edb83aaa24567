"""Operators: ways to vary a program. Each knows at which nodes it can be tried and what it makes of one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mendel.breeding.code import Code, Edit
from mendel.breeding.names import unbound
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy

MOST_TRIES: Final = 40
"""So many places are tried before an operator gives up."""

Places = Callable[[View], Iterable[ast.AST]]
Edits = Callable[[View, ast.AST, Entropy], Edit | None]


@dataclass(frozen=True)
class Operator:
    """One way to vary a program: ``places`` are the nodes it can be tried at, ``edit`` what it does there.

    ``edit`` answers None where it has nothing to offer; what it offers need not be right, only worth a try.
    """

    name: str
    places: Places
    edit: Edits
    weight: float = 1.0


@dataclass(frozen=True)
class Variation:
    """What came of it: the new code, by which operator, at which class of places, and what was done."""

    code: Code
    operator: str
    site: str
    note: str


def vary(view: View, operator: Operator, entropy: Entropy, site: str | None = None) -> Variation | None:
    """A program that differs from the view's in more than its looks; None where the operator finds none.

    It reads no name that nothing binds, unless the view's does so too.
    Places of class ``site`` come first, hot lines before cold ones, else in random order.
    """
    before, missing = fingerprint(view.code), unbound(view.code)
    for number, node in enumerate(_in_order(view, list(operator.places(view)), entropy, site)[:MOST_TRIES]):
        edit = operator.edit(view, node, entropy.child("edit", number))
        made = view.code.edited(edit) if edit is not None else None
        if edit is None or made is None or not unbound(made) <= missing:
            continue
        if fingerprint(made) != before:
            return Variation(made, operator.name, view.site(node), edit.note)
    return None


def _in_order(view: View, places: Sequence[ast.AST], entropy: Entropy, site: str | None) -> list[ast.AST]:
    """Weighted sampling without replacement, by exponents: whoever is twice as hot comes first twice as often."""

    def key(numbered: tuple[int, ast.AST]) -> tuple[bool, float]:
        number, node = numbered
        weight = max(view.weight(node), 1e-9)
        return site is not None and view.site(node) != site, -(entropy.unit("place", number) ** (1.0 / weight))

    return [node for _, node in sorted(enumerate(places), key=key)]
