"""Edits of the original text that replace a block by expressions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import Final

from mendel.breeding.code import Change, Edit
from mendel.breeding.library.blocks import Block
from mendel.breeding.library.goals import RETURN, Goal
from mendel.breeding.view import View, reads, writes
from mendel.contracts.plain_values import spelled
from mendel.ports.syntax import expression_tree

Found = Sequence[tuple[Goal, Sequence[str]]]
_MODULES: Final = {
    **{name: f"import {name}" for name in ("bisect", "collections", "functools", "heapq", "itertools", "math")},
    **{name: f"import {name}" for name in ("operator", "statistics")},
    "np": "import numpy as np",
}


def offers(view: View, block: Block, found: Found) -> Iterator[Edit]:
    """Yield the edits possible with the expressions found for the goals of a block, the smallest first."""
    usable = [(goal, [text for text in texts if _usable(view, text, goal)]) for goal, texts in found]
    if block.kind == "expression":
        yield from _expressions(view, block, usable)
    elif block.kind == "tail":
        yield from _tails(view, block, usable)
    elif usable and all(texts for _, texts in usable):
        yield from _runs(view, block, usable)


def _expressions(view: View, block: Block, found: Found) -> Iterator[Edit]:
    (node,) = block.nodes
    assert isinstance(node, ast.expr)  # noqa: S101 - an expression's block has one
    old = view.code.of(node)
    for text in (text for goal, texts in found if goal.varied for text in texts):
        shown = text if _tight(text) or _stands_alone(view, node) else f"({text})"
        if shown != old:
            yield Edit((view.code.replaced(node, shown),), f"{text} instead of {_short(old)}", _imports(text))


def _tails(view: View, block: Block, found: Found) -> Iterator[Edit]:
    by_name = {goal.name: (goal, texts) for goal, texts in found}
    goal, texts = by_name.pop(RETURN, (None, []))
    # These edits drop the block's changes to its arguments; the ones below keep them.
    if goal is not None and goal.varied:
        yield from (_edit(view, block, f"return {text}", [text]) for text in texts)
    if goal is None or not by_name or not all(texts and each.in_place for each, texts in by_name.values()):
        return
    last = _last_line(goal, [each for each, _ in by_name.values()])
    if last is not None:
        chosen = [(each, texts[0]) for each, texts in by_name.values()]
        lines = [f"{each.name}[:] = {text}" for each, text in chosen] + ([last] if last else [])
        yield _edit(view, block, "\n".join(lines), [text for _, text in chosen])


def _last_line(returned: Goal, changed: Sequence[Goal]) -> str | None:
    """Return the last line of a function that mutates its arguments: empty, or returning one; None if neither fits."""
    wanted = [spelled(value) for value in returned.wanted]
    if all(value is None for value in returned.wanted):
        return ""
    twins = [each.name for each in changed if [spelled(value) for value in each.wanted] == wanted]
    return f"return {twins[0]}" if twins else None


def _runs(view: View, block: Block, found: Found) -> Iterator[Edit]:
    for rank in range(max(len(texts) for _, texts in found)):
        chosen = [(goal, texts[min(rank, len(texts) - 1)]) for goal, texts in found]
        needed = [(goal, text) for goal, text in chosen if text != goal.name]
        if needed and any(goal.varied for goal, _ in needed):
            yield _edit(view, block, _assignments(needed), [text for _, text in needed])


def _assignments(chosen: Sequence[tuple[Goal, str]]) -> str:
    """Write one assignment per goal, or a single tuple assignment if one expression reads another's target."""
    targets = [f"{goal.name}[:]" if goal.in_place else goal.name for goal, _ in chosen]
    names = {goal.name for goal, _ in chosen}
    tangled = any(reads(expression_tree(text)) & (names - {goal.name}) for goal, text in chosen)
    if tangled:
        return f"{', '.join(targets)} = {', '.join(text for _, text in chosen)}"
    return "\n".join(f"{target} = {text}" for target, (_, text) in zip(targets, chosen, strict=True))


def _edit(view: View, block: Block, text: str, expressions: Sequence[str]) -> Edit:
    first, last = block.nodes[0], block.nodes[-1]
    assert isinstance(first, ast.stmt)  # noqa: S101 - only an expression's block has none
    glue = "\n" + view.code.indent(first) if view.code.alone(first) else "; "  # the line may be shared
    change = Change(view.code.span(first)[0], view.code.span(last)[1], glue.join(text.split("\n")))
    imports = tuple(dict.fromkeys(line for each in expressions for line in _imports(each)))
    return Edit(
        (change,), f"{'; '.join(text.split(chr(10)))} instead of lines {first.lineno} to {last.end_lineno}", imports
    )


def _usable(view: View, text: str, goal: Goal) -> bool:
    """Return whether every name in the expression has the same meaning here as in the search."""
    tree = expression_tree(text)
    free = reads(tree) - writes(tree) - set(goal.environments[0])
    taken = _bound_in(view)
    return all((name in _MODULES or hasattr(builtins, name)) and name not in taken for name in free)


def _bound_in(view: View) -> set[str]:
    """Return the names that the file binds, except by the imports that the search assumes."""
    bound: set[str] = set()
    for node in ast.walk(view.code.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {each.asname or each.name for each in node.names if ast.unparse(node) not in _MODULES.values()}
    return bound


def _imports(text: str) -> tuple[str, ...]:
    return tuple(_MODULES[name] for name in sorted(reads(expression_tree(text))) if name in _MODULES)


def _tight(text: str) -> bool:
    """Return whether an expression needs no brackets next to any operator."""
    closed = (ast.Call, ast.Name, ast.Subscript, ast.Attribute, ast.List, ast.ListComp, ast.SetComp, ast.DictComp)
    return isinstance(expression_tree(text).body, closed)


def _stands_alone(view: View, node: ast.expr) -> bool:
    return isinstance(view.code.parents[node], ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Expr)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."
