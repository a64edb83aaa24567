"""Rules: a pattern, its replacement, and a condition. Operators consist of rules and of handwritten rewrites."""

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
"""Takes a node and returns all edits of one kind that are possible there."""

_MARK: Final = re.compile(r"\$\$([a-z]\w*)|([$?!])([a-z]\w*)")
_OPEN: Final = re.compile(r"(?:[(\[{,=:]|\breturn|\bin|\bif|\bwhile|^)\s*$")
_CLOSED: Final = re.compile(r"\s*(?:[)\]},:]|for\b|if\b|$)")


@dataclass(frozen=True)
class Match:
    """An occurrence of a pattern: its nodes, and the contents of its holes."""

    view: View
    nodes: tuple[ast.stmt, ...] | tuple[ast.expr]
    bindings: patterns.Bindings
    names: dict[str, str] = field(default_factory=dict)

    def expr(self, hole: str) -> ast.expr:
        """Return the expression in a hole."""
        found = self.bindings[hole]
        if not isinstance(found, ast.expr):
            raise TypeError(f"the hole {hole} contains statements, not an expression; use block()")
        return found

    def name(self, hole: str) -> str:
        """Return the name in a hole; empty if it contains something else."""
        found = self.bindings[hole]
        return found.id if isinstance(found, ast.Name) else ""

    def block(self, hole: str) -> tuple[ast.stmt, ...]:
        """Return the statements in a hole; empty if it contains an expression."""
        found = self.bindings[hole]
        return found if isinstance(found, tuple) else ()

    @cached_property
    def function(self) -> Function:
        """The function that contains the match."""
        return self.view.function_of(self.nodes[0])

    def fresh(self, stem: str) -> str:
        """Return a new name, always the same one for the same stem."""
        if stem not in self.names:
            self.names[stem] = scope.fresh(self.view.code, stem, self.names.values())
        return self.names[stem]

    def read_elsewhere(self, name: str) -> bool:
        """Return whether the function reads a name outside the match."""
        return len(scope.loads(self.function, name)) > len(scope.loads(self.nodes, name))

    def text(self, hole: str, swaps: texts.Swaps | None = None) -> str:
        """Return the text of the expression in a hole, some of its parts replaced."""
        node = self.expr(hole)
        if isinstance(node, ast.Name):
            return (swaps or {}).get(node, node.id)
        return texts.text_of(self.view.code, node, swaps)

    def body(self, hole: str, swaps: texts.Swaps | None = None) -> str:
        """Return the text of the statements in a hole, some of their parts replaced."""
        return texts.block_text(self.view.code, self.block(hole), swaps)

    def renamed(self, hole: str, renames: Mapping[str, str]) -> str:
        """Return the text of a hole with the names that it reads replaced."""
        held = self.bindings[hole]
        found = [node for node in scope.walk(held) if isinstance(node, ast.Name) and node.id in renames]
        swaps: texts.Swaps = {node: renames[node.id] for node in found}
        return self.text(hole, swaps) if isinstance(held, ast.expr) else self.body(hole, swaps)


Let = Callable[[Match], Mapping[str, str] | None]
Where = Callable[[Match], bool]


def filled(match: Match, template: str, extra: Mapping[str, str]) -> str:
    """Fill the holes of a template; ``!x`` is a new name, and ``extra`` takes precedence over the match's bindings."""
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
    # Where the context delimits the expression, it needs no brackets.
    held = _OPEN.search(line[: found.start()]) and _CLOSED.match(line[found.end() :])
    return text if held else texts.atom(text)


def _bare_target(match: Match, found: re.Match[str], line: str) -> str | None:
    """Return a tuple without brackets where it is the target of a loop; None elsewhere."""
    target = line[: found.start()].rstrip().endswith("for") and "\n" not in match.text(found[3])
    return match.text(found[3]) if target else None


@dataclass(frozen=True)
class Rule:
    """Replaces ``pattern`` by ``becomes`` if ``where`` holds; ``let`` returns further texts, or None to refuse."""

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
        """The kinds of nodes at which the pattern can begin."""
        return patterns.kinds(self._statements[0])

    def found(self, view: View, node: ast.AST) -> Iterator[Match]:
        """Yield the matches that begin at the node."""
        if not isinstance(node, self.kinds):
            return
        if isinstance(node, ast.stmt) and not isinstance(view.code.parents.get(node), ast.Module | ast.ClassDef | None):
            block = view.code.block_of(node)
            rest = block[next(place for place, each in enumerate(block) if each is node) :]
            for taken, bound in patterns.match_statements(self._statements, rest):
                yield Match(view, tuple(rest[:taken]), bound)

    def __call__(self, view: View, node: ast.AST) -> Iterator[Edit]:
        """Return the rule's edits of the node, at most ``most``."""
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
    """A rule with a pattern of one expression."""

    @cached_property
    def kinds(self) -> tuple[type[ast.AST], ...]:
        """The kinds of nodes that the pattern can match."""
        return patterns.kinds(self._expression)

    def found(self, view: View, node: ast.AST) -> Iterator[Match]:
        """Yield the ways in which the node matches."""
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
    """Build an operator from rewrites; its places are the nodes at which at least one of them has an edit."""
    fitting = _Fitting(rewrites)

    def places(view: View) -> Iterator[ast.AST]:
        return (node for node in nodes_of(view) if any(_offers(view, node, fitting[type(node)])))

    def edit(view: View, node: ast.AST, entropy: Entropy) -> Edit | None:
        found = [list(rewrite(view, node)) for rewrite in fitting[type(node)]]
        offered = [edits for edits in found if edits]
        if not offered:
            return None
        return entropy.pick(entropy.pick(offered, "rewrite"), "edit")  # a rewrite with many edits is no more likely

    return Operator(name, places, edit, weight)


class _Fitting(dict[type[ast.AST], tuple[Rewrite, ...]]):
    """The rewrites that can apply to nodes of a kind, computed on first use."""

    def __init__(self, rewrites: tuple[Rewrite, ...]) -> None:
        self._rewrites = rewrites

    def __missing__(self, kind: type[ast.AST]) -> tuple[Rewrite, ...]:
        fits = (each for each in self._rewrites if not isinstance(each, Rule) or issubclass(kind, each.kinds))
        self[kind] = found = tuple(fits)
        return found


def then(first: Rewrite, *seconds: Rewrite) -> Rewrite:
    """Combine two rewrites into one, for cases where the first alone gives no gain that selection would keep."""

    def both(view: View, node: ast.AST) -> Iterator[Edit]:
        for edit in first(view, node):
            halfway = view.code.edited(edit)
            if halfway is not None:
                yield from _onward(view, edit, replace(view, code=halfway), seconds)

    return both


def _onward(view: View, first: Edit, halfway: View, seconds: tuple[Rewrite, ...]) -> Iterator[Edit]:
    """Apply the second rewrites to the intermediate program, and yield the results as edits of the original."""
    for node in nodes_of(halfway):
        for edit in (each for second in seconds for each in second(halfway, node)):
            made = halfway.code.edited(edit)
            if made is not None:
                yield Edit((_difference(view.code.text, made.text),), f"{first.note}; {edit.note}")


def _difference(before: str, after: str) -> Change:
    """Return the single change between two texts, without their common beginning and end."""
    shorter = min(len(before), len(after))
    start = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    same = range(shorter - start)  # a common end must not overlap the common beginning
    back = next((place for place in same if before[-1 - place] != after[-1 - place]), shorter - start)
    return Change(start, len(before) - back, after[start : len(after) - back])


def nodes_of(view: View) -> Iterator[ast.AST]:
    """Yield the editable functions and their statements and expressions; parts of f-strings have no reliable place."""
    yield from view.functions
    formatted = {id(inner) for whole in view.nodes(ast.JoinedStr) for inner in ast.walk(whole)}
    for node in view.nodes(ast.AST):
        if isinstance(node, ast.stmt | ast.expr) and id(node) not in formatted:
            yield node


def _offers(view: View, node: ast.AST, rewrites: Iterable[Rewrite]) -> Iterator[bool]:
    return (next(iter(rewrite(view, node)), None) is not None for rewrite in rewrites)  # only the first edit is built
