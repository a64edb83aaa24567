"""Operators that delete, insert, swap and replace statements, and move them into and out of loops."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendel.breeding.code import Edit, Function, blocks
from mendel.breeding.donors import donor_for, grafted
from mendel.breeding.operators import Operator
from mendel.breeding.rewrites import texts
from mendel.breeding.rewrites.tidying import JUMPS, unreachable
from mendel.breeding.view import LOOPS, View
from mendel.contracts.entropy import Entropy


def _own_lines(view: View) -> Iterator[ast.stmt]:
    """Yield reachable statements that share no line with another."""
    dead = {id(inner) for function in view.functions for each in _dead(function) for inner in ast.walk(each)}
    return (node for node in view.statements() if id(node) not in dead and texts.has_lines(view.code, node))


def _dead(function: Function) -> list[ast.stmt]:
    """Return unreachable statements: changes to them have no effect."""
    return [each for node in ast.walk(function) for _, block in blocks(node) for each in unreachable(block)]


def _delete(view: View, node: ast.AST, _: Entropy) -> Edit | None:
    if not isinstance(node, ast.stmt) or isinstance(node, ast.Pass):
        return None
    change = view.code.removed(node) if texts.has_lines(view.code, node) else view.code.replaced(node, "pass")
    return Edit((change,), f"deletes {_shown(view, node)}")


def _insert(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    donor = donor_for(view, node, entropy) if isinstance(node, ast.stmt) else None
    if donor is None or not isinstance(node, ast.stmt):
        return None
    graft = grafted(view, donor, node, entropy.child("graft"))
    # A jump is inserted only at the end of a block: anywhere else it would make the rest unreachable.
    last = view.code.block_of(node)[-1] is node and not isinstance(node, JUMPS)
    if isinstance(donor.node, JUMPS) and not last:
        return None
    # Code after a jump is dead, so a jump goes last.
    behind = not isinstance(node, JUMPS) and (isinstance(donor.node, JUMPS) or entropy.below(2, "behind") == 1)
    change = view.code.after(node, graft.text) if behind else view.code.before(node, graft.text)
    return Edit((change,), f"inserts {_short(graft.text)}", graft.imports)


def _replace(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    donor = donor_for(view, node, entropy) if isinstance(node, ast.stmt) else None
    if donor is None or not isinstance(node, ast.stmt):
        return None
    graft = grafted(view, donor, node, entropy.child("graft"))
    note = f"{_shown(view, node)} becomes {_short(graft.text)}"
    return Edit((view.code.replaced(node, graft.text),), note, graft.imports)


def _pairs(view: View) -> Iterator[ast.stmt]:
    return (node for node in _own_lines(view) if len(view.code.block_of(node)) > 1)


def _swap(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    if not isinstance(node, ast.stmt):
        return None
    own = {id(each) for each in _own_lines(view)}
    others = [each for each in view.code.block_of(node) if each is not node and id(each) in own]
    if not others:
        return None
    following = [each for each in others if each.lineno > node.lineno][:1]  # half of the swaps are of neighbours
    other = entropy.pick(following or others, "other") if entropy.below(2, "near") else entropy.pick(others, "other")
    exchanged = view.code.replaced(node, view.code.flush(other)), view.code.replaced(other, view.code.flush(node))
    return Edit(exchanged, f"exchanges {_shown(view, node)}")


def _movable(view: View) -> Iterator[ast.stmt]:
    for node in _own_lines(view):
        if view.loops_around(node) or _next_loop(view, node) is not None:
            yield node


def _next_loop(view: View, node: ast.stmt) -> ast.For | ast.While | None:
    block = view.code.block_of(node)
    place = next(number for number, each in enumerate(block) if each is node)
    near = [*block[place + 1 : place + 2], *block[max(place - 1, 0) : place]]
    return next((each for each in near if isinstance(each, ast.For | ast.While)), None)


def _move(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
    if not isinstance(node, ast.stmt):
        return None
    around, into = view.loops_around(node), _next_loop(view, node)
    if around and (into is None or entropy.below(2, "way") == 0):
        return _move_out(view, node, around[0], entropy)
    return _move_in(view, node, into) if into is not None else None


def _move_out(view: View, node: ast.stmt, loop: ast.stmt, entropy: Entropy) -> Edit | None:
    if not view.code.alone(loop):
        return None
    text = view.code.flush(node)
    placed = view.code.before(loop, text) if entropy.below(2, "side") == 0 else view.code.after(loop, text)
    return Edit((view.code.removed(node), placed), f"moves {_shown(view, node)} out of the loop")


def _move_in(view: View, node: ast.stmt, loop: ast.For | ast.While) -> Edit | None:
    first, last = loop.body[0], loop.body[-1]
    if (
        not view.code.alone(first)
        or not view.code.alone(last)
        or isinstance(node, (*LOOPS, ast.FunctionDef, ast.AsyncFunctionDef))
    ):
        return None
    text = view.code.flush(node)
    placed = view.code.before(first, text) if node.lineno < loop.lineno else view.code.after(last, text)
    return Edit((view.code.removed(node), placed), f"moves {_shown(view, node)} into the loop")


def _shown(view: View, node: ast.stmt) -> str:
    return _short(view.code.of(node))


def _short(text: str) -> str:
    line = text.strip().split("\n")[0]
    return f"`{line[:40]}`"


DELETE = Operator("statement_delete", lambda view: view.statements(), _delete, 1.0)
INSERT = Operator("statement_insert", _own_lines, _insert, 0.7)
SWAP = Operator("statement_swap", _pairs, _swap, 0.6)
REPLACE = Operator("statement_replace", _own_lines, _replace, 0.7)
MOVE = Operator("statement_move", _movable, _move, 0.8)
