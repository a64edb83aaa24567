"""Operators: ways to vary a program. Each selects the nodes it can change and proposes an edit for one of them."""

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
"""Maximum number of places that an operator tries."""

Places = Callable[[View], Iterable[ast.AST]]
Edits = Callable[[View, ast.AST, Entropy], Edit | None]


@dataclass(frozen=True)
class Operator:
    """One way to vary a program: ``places`` returns the nodes to try, ``edit`` proposes a change at one of them.

    ``edit`` returns None if it has no proposal. A proposal need not be correct, only worth trying.
    """

    name: str
    places: Places
    edit: Edits
    weight: float = 1.0


@dataclass(frozen=True)
class Variation:
    """The result: the new code, the operator's name, the class of the place, and a description of the change."""

    code: Code
    operator: str
    site: str
    note: str


def vary(view: View, operator: Operator, entropy: Entropy, site: str | None = None) -> Variation | None:
    """Return a program that differs from the view's in more than style; None if the operator finds none.

    The program reads no unbound names except those that the view's program reads too. Places of class ``site`` are
    tried first; within a class the order is random, weighted by heat.
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
    """Sample without replacement, weighted by heat: of two places, one twice as hot comes first twice as often."""

    def key(numbered: tuple[int, ast.AST]) -> tuple[bool, float]:
        number, node = numbered
        weight = max(view.weight(node), 1e-9)  # it is a divisor below
        # False sorts first, so places of the requested class do.
        return site is not None and view.site(node) != site, -(entropy.unit("place", number) ** (1.0 / weight))

    return [node for _, node in sorted(enumerate(places), key=key)]
