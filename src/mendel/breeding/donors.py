"""Donors: statements copied from elsewhere, with unknown names replaced by names that exist at the new place."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendel.breeding.code import Code, Function
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.view import View, statements_in
from mendel.contracts.entropy import Entropy

_SHARES: Final = (5.0, 2.0, 3.0)
"""Relative weights of the sources of donors: the same function, the rest of the file, and other programs."""


@dataclass(frozen=True)
class Donor:
    """A statement to copy, and the code that contains it."""

    code: Code
    node: ast.stmt


@dataclass(frozen=True)
class Graft:
    """A donor's text, adapted to a place, and the imports it needs there."""

    text: str
    imports: tuple[str, ...]


def donor_for(view: View, place: ast.stmt, entropy: Entropy) -> Donor | None:
    """Draw a donor for a place; None if there is no other statement."""
    sources = _sources(view, place)
    weights = [share if found else 0.0 for share, found in zip(_SHARES, sources, strict=True)]
    if not any(weights):
        return None
    return entropy.pick(sources[entropy.weighted(weights, "source")], "donor")


def _sources(view: View, place: ast.stmt) -> tuple[list[Donor], list[Donor], list[Donor]]:
    own = view.function_of(place)
    inside = [Donor(view.code, each) for each in statements_in(own) if each is not place]
    around = [Donor(view.code, each) for _, each in _all_statements(view.code, skip=own)]
    others = [Donor(code, each) for code in view.donors for _, each in _all_statements(code)]
    return inside, around, others


def _all_statements(code: Code, skip: Function | None = None) -> list[tuple[str, ast.stmt]]:
    found = [(name, function) for name, function in code.functions() if function is not skip]
    return [(name, each) for name, function in found for each in statements_in(function)]


def grafted(view: View, donor: Donor, place: ast.AST, entropy: Entropy) -> Graft:
    """Adapt the donor's text to the place: names unknown there are replaced by known ones."""
    shared = _globals(view.code) | _imported(donor.code)
    swaps = renames(donor.node, view.names_before(place), shared, entropy)
    text = texts.block_text(donor.code, [donor.node], swaps)
    return Graft(text, imports_for(donor.code, donor.node))


def renames(node: ast.AST, known: Sequence[str], shared: set[str], entropy: Entropy) -> dict[ast.expr | ast.stmt, str]:
    """Choose a known name for every unknown name that a node reads; known names stay, and equal names stay equal."""
    own = _bound_by(node)
    # Sorted, because the order of a set varies and draws must be repeatable.
    strange = sorted(scope.free(node) - own - set(known) - shared - scope.BUILTINS)
    if not known:
        return {}
    chosen = {name: entropy.pick(known, "name", name) for name in strange}
    named = [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in chosen]
    return {each: chosen[each.id] for each in named}


def _bound_by(node: ast.AST) -> set[str]:
    """Return the names that assignments and loops in a node bind; augmented targets are read first, so not included."""
    found = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    augmented = {id(each.target) for each in ast.walk(node) if isinstance(each, ast.AugAssign)}
    return {each.id for each in found if id(each) not in augmented}


def _globals(code: Code) -> set[str]:
    """Return the names at module level: imports, definitions, and every name in other statements."""
    found: set[str] = set()
    for node in code.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= _bound_by_import(node)
        elif isinstance(node, ast.ClassDef | Function):
            found.add(node.name)
        else:
            found |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found


def imports_for(code: Code, node: ast.AST) -> tuple[str, ...]:
    """Return the import lines of a file that a node of it uses."""
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    lines = [line for line in code.tree.body if isinstance(line, ast.Import | ast.ImportFrom)]
    return tuple(ast.unparse(line) for line in lines if _bound_by_import(line) & used)


def _imported(code: Code) -> set[str]:
    lines = [line for line in code.tree.body if isinstance(line, ast.Import | ast.ImportFrom)]
    return {name for line in lines for name in _bound_by_import(line)}


def _bound_by_import(line: ast.Import | ast.ImportFrom) -> set[str]:
    return {(alias.asname or alias.name).split(".")[0] for alias in line.names}
