"""Rules: a pattern, what it becomes, and when. Operators are made of rules and of rewrites written by hand."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from mendel.breeding.code import Change, Edit, Function
from mendel.breeding.operators import Operator
from mendel.breeding.rewrites import patterns, scope, texts
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy

Rewrite = Callable[[View, ast.AST], Iterable[Edit]]
"""Everything that one idea can make of one node."""

_MARK: Final = re.compile(r"\$\$([a-z]\w*)|([$?!])([a-z]\w*)")
_OPEN: Final = re.compile(r"(?:[(\[{,=:]|\breturn|\bin|\bif|\bwhile|^)\s*$")
_CLOSED: Final = re.compile(r"\s*(?:[)\]},:]|for\b|if\b|$)")


@dataclass(frozen=True)
class Match:
    """A pattern that was found: where, and what its holes hold."""

    view: View
    nodes: tuple[ast.stmt, ...] | tuple[ast.expr]
    bindings: patterns.Bindings
    names: dict[str, str] = field(default_factory=dict)

    def expr(self, hole: str) -> ast.expr:
        """What a hole for an expression holds."""
        found = self.bindings[hole]
        if not isinstance(found, ast.expr):
            raise TypeError(f"the hole {hole} holds statements")
        return found

    def name(self, hole: str) -> str:
        """The name that a hole holds."""
        found = self.bindings[hole]
        return found.id if isinstance(found, ast.Name) else ""

    def block(self, hole: str) -> tuple[ast.stmt, ...]:
        """What a hole for statements holds."""
        found = self.bindings[hole]
        return found if isinstance(found, tuple) else ()

    @cached_property
    def function(self) -> Function:
        """The function in which it was found."""
        return self.view.function_of(self.nodes[0])

    def fresh(self, stem: str) -> str:
        """A new name, the same one for the same stem."""
        if stem not in self.names:
            self.names[stem] = scope.fresh(self.view.code, stem, self.names.values())
        return self.names[stem]

    def read_elsewhere(self, name: str) -> bool:
        """Whether the function reads a name outside what was found."""
        return len(scope.loads(self.function, name)) > len(scope.loads(self.nodes, name))

    def text(self, hole: str, swaps: texts.Swaps | None = None) -> str:
        """An expression's text."""
        node = self.expr(hole)
        if isinstance(node, ast.Name):
            return (swaps or {}).get(node, node.id)
        return texts.text_of(self.view.code, node, swaps)

    def body(self, hole: str, swaps: texts.Swaps | None = None) -> str:
        """The text of statements."""
        return texts.block_text(self.view.code, self.block(hole), swaps)

    def renamed(self, hole: str, renames: Mapping[str, str]) -> str:
        """What a hole holds, names read in it replaced by texts."""
        held = self.bindings[hole]
        found = [node for node in scope.walk(held) if isinstance(node, ast.Name) and node.id in renames]
        swaps: texts.Swaps = {node: renames[node.id] for node in found}
        return self.text(hole, swaps) if isinstance(held, ast.expr) else self.body(hole, swaps)


Let = Callable[[Match], Mapping[str, str] | None]
Where = Callable[[Match], bool]


def filled(match: Match, template: str, extra: Mapping[str, str]) -> str:
    """The template with its holes filled; ``!x`` is a new name, ``extra`` goes before what the pattern bound."""
    return "\n".join(line for raw in template.split("\n") for line in _filled_line(match, raw, extra))


def _filled_line(match: Match, line: str, extra: Mapping[str, str]) -> list[str]:
    whole = _MARK.fullmatch(line.strip())
    if whole is not None and whole[1]:
        indent = line[: len(line) - len(line.lstrip())]
        text = extra[whole[1]] if whole[1] in extra else match.body(whole[1])
        return [indent + each if each.strip() else each for each in text.split("\n")] if text else []
    return [_MARK.sub(lambda found: _mark(match, found, line, extra), line)]


def _mark(match: Match, found: re.Match[str], line: str, extra: Mapping[str, str]) -> str:
    kind, name = found[2], found[3]
    if kind == "!":
        return match.fresh(name)
    if name in extra:
        return extra[name]
    text = match.text(name)
    if "\n" in text or isinstance(match.expr(name), ast.Tuple | ast.NamedExpr | ast.Yield):
        return _bare_target(match, found, line) or texts.atom(text)
    held = _OPEN.search(line[: found.start()]) and _CLOSED.match(line[found.end() :])
    return text if held else texts.atom(text)


def _bare_target(match: Match, found: re.Match[str], line: str) -> str | None:
    """A tuple as the target of a loop needs no brackets."""
    target = line[: found.start()].rstrip().endswith("for") and "\n" not in match.text(found[3])
    return match.text(found[3]) if target else None


@dataclass(frozen=True)
class Rule:
    """Where ``pattern`` is and ``where`` holds, ``becomes`` may stand; ``let`` adds texts or refuses with None."""

    note: str
    pattern: str
    becomes: str
    where: Where = lambda _: True
    let: Let = lambda _: {}
    imports: tuple[str, ...] = ()
    most: int = 4

    @cached_property
    def _expression(self) -> ast.expr:
        return patterns.expression_pattern(self.pattern)

    @cached_property
    def _statements(self) -> list[ast.stmt]:
        return patterns.statement_pattern(self.pattern)

    @cached_property
    def kinds(self) -> tuple[type[ast.AST], ...]:
        """Kinds of nodes at which it is worth looking."""
        return patterns.kinds(self._statements[0])

    def found(self, view: View, node: ast.AST) -> Iterator[Match]:
        """Where the pattern begins at the node."""
        if not isinstance(node, self.kinds):
            return
        if isinstance(node, ast.stmt) and not isinstance(view.code.parents.get(node), ast.Module | ast.ClassDef | None):
            block = view.code.block_of(node)
            rest = block[next(place for place, each in enumerate(block) if each is node) :]
            for taken, bound in patterns.match_statements(self._statements, rest):
                yield Match(view, tuple(rest[:taken]), bound)

    def __call__(self, view: View, node: ast.AST) -> Iterator[Edit]:
        """The first few edits that the rule makes of the node."""
        edits = (self._edit(match) for match in self.found(view, node))
        return itertools.islice((edit for edit in edits if edit is not None), self.most)

    def _edit(self, match: Match) -> Edit | None:
        extra = self.let(match) if self.where(match) else None
        if extra is None:
            return None
        text = filled(match, self.becomes, extra)
        change = texts.window(match.view.code, [each for each in match.nodes if isinstance(each, ast.stmt)], text)
        return Edit((change,), self.note, self.imports) if change is not None else None


@dataclass(frozen=True)
class Reduction(Rule):
    """A rule whose pattern is one expression."""

    @cached_property
    def kinds(self) -> tuple[type[ast.AST], ...]:
        """Kinds of nodes at which it is worth looking."""
        return patterns.kinds(self._expression)

    def found(self, view: View, node: ast.AST) -> Iterator[Match]:
        """Where the node is the pattern."""
        if not isinstance(node, self.kinds):
            return
        readable = isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        if isinstance(node, ast.expr) and readable:
            yield from (Match(view, (node,), bound) for bound in patterns.match_expression(self._expression, node))

    def _edit(self, match: Match) -> Edit | None:
        extra = self.let(match) if self.where(match) else None
        (node,) = match.nodes
        if extra is None or not isinstance(node, ast.expr):
            return None
        text = texts.fitted(match.view, node, filled(match, self.becomes, extra))
        return Edit((texts.swap(match.view.code, node, text),), self.note, self.imports)


def operator(name: str, weight: float, *rewrites: Rewrite) -> Operator:
    """An operator that is offered at every node at which one of the rewrites has something to offer."""
    fitting = _Fitting(rewrites)

    def places(view: View) -> Iterator[ast.AST]:
        return (node for node in nodes_of(view) if any(_offers(view, node, fitting[type(node)])))

    def edit(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
        found = [list(rewrite(view, node)) for rewrite in fitting[type(node)]]
        offered = [edits for edits in found if edits]
        if not offered:
            return None
        return entropy.pick(entropy.pick(offered, "rewrite"), "edit")

    return Operator(name, places, edit, weight)


class _Fitting(dict[type[ast.AST], tuple[Rewrite, ...]]):
    """The rewrites that are worth a look at nodes of a kind."""

    def __init__(self, rewrites: tuple[Rewrite, ...]) -> None:
        self._rewrites = rewrites

    def __missing__(self, kind: type[ast.AST]) -> tuple[Rewrite, ...]:
        fits = (each for each in self._rewrites if not isinstance(each, Rule) or issubclass(kind, each.kinds))
        self[kind] = found = tuple(fits)
        return found


def then(first: Rewrite, *seconds: Rewrite) -> Rewrite:
    """Two rewrites at once, where the first alone would be no gain that anybody selects."""

    def both(view: View, node: ast.AST) -> Iterator[Edit]:
        for edit in first(view, node):
            halfway = view.code.edited(edit)
            if halfway is not None:
                yield from _onward(view, edit, replace(view, code=halfway), seconds)

    return both


def _onward(view: View, first: Edit, halfway: View, seconds: tuple[Rewrite, ...]) -> Iterator[Edit]:
    """What the second rewrites make of the program halfway, told as edits of the program at the start."""
    for node in nodes_of(halfway):
        for edit in (each for second in seconds for each in second(halfway, node)):
            made = halfway.code.edited(edit)
            if made is not None:
                yield Edit((_difference(view.code.text, made.text),), f"{first.note}; {edit.note}")


def _difference(before: str, after: str) -> Change:
    """The one change that makes one text of the other, all that both begin and end with left out."""
    shorter = min(len(before), len(after))
    start = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    same = range(shorter - start)
    back = next((place for place in same if before[-1 - place] != after[-1 - place]), shorter - start)
    return Change(start, len(before) - back, after[start : len(after) - back])


def nodes_of(view: View) -> Iterator[ast.AST]:
    """The functions that may change, and every statement and expression in them; parts of f-strings have no place."""
    yield from view.functions
    formatted = {id(inner) for whole in view.nodes(ast.JoinedStr) for inner in ast.walk(whole)}
    for node in view.nodes(ast.AST):
        if isinstance(node, ast.stmt | ast.expr) and id(node) not in formatted:
            yield node


def _offers(view: View, node: ast.AST, rewrites: Iterable[Rewrite]) -> Iterator[bool]:
    return (next(iter(rewrite(view, node)), None) is not None for rewrite in rewrites)
