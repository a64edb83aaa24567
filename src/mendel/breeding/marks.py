"""Comments by which users say what of a file may change: ``# mendel: evolve``, ``# mendel: end``, ``# mendel: keep``.

``evolve`` on a line of its own opens a region that the next ``end`` closes, and whole functions between the two are
marked. Without an ``end`` before the next ``evolve`` it is about the one function or class below it; so is ``evolve``
at the end of a ``def`` or ``class`` line. ``keep``, above or at the end of such a line, takes a function or class out.
Case and the number of ``#`` do not matter, and a mark at the end of a line may stand beside other comments. What looks
like a mark and is none is refused, so that nobody believes a function kept that is not.
"""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from mendel.breeding.code import Code, Function
from mendel.contracts.errors import ConfigError

Word = Literal["evolve", "end", "keep"]
_PART: Final = re.compile(r"(?:^|(?<=\s))#+")
"""Where a comment begins, or another behind it: ``# noqa  # mendel: keep`` are two. Quoted, it is prose."""
_MARK: Final = re.compile(r"\s*(mendel)(\s*:\s*|\W+)(.*?)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Marks:
    """What the marks of a file say: the functions to evolve (none: nothing is said) and those to keep.

    ``line`` is where the first mark stands; None where there is none.
    """

    evolve: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    line: int | None = None


@dataclass(frozen=True)
class _Mark:
    word: Word
    line: int
    alone: bool


@dataclass(frozen=True)
class _Piece:
    """A statement of the module or of a class: its lines, decorators too, where its body begins, and its functions."""

    first: int
    body: int
    last: int
    names: frozenset[str]
    is_function: bool = False

    def heads(self, line: int) -> bool:
        """Whether the line is one of its head."""
        return self.first <= line < max(self.body, self.first + 1)


def marks_in(code: Code) -> Marks:
    """What the marks of the file say.

    Raises:
        ConfigError: one is unknown, unbalanced, about nothing or within a function; with its line and what to do.
    """
    marks = list(_marks(code))
    if not marks:
        return Marks()
    reader = _Reader(code.path, list(_pieces(code.tree.body, "")))
    return Marks(reader.evolved(marks), reader.kept(marks), marks[0].line)


def _marks(code: Code) -> Iterator[_Mark]:
    if "mendel" not in code.text.lower():
        return
    for token in tokenize.generate_tokens(io.StringIO(code.text).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, column = token.start
        alone = not token.line[:column].strip()
        for place, part in enumerate(_PART.split(token.string)[1:]):
            word = _word(part, code.path, line)
            if word is None:
                continue
            if alone and place:
                told = f"`# mendel: {word}` stands behind another comment; give it a line of its own, or take it away"
                raise _refusal(code.path, line, told)
            yield _Mark(word, line, alone)


def _word(comment: str, path: str, line: int) -> Word | None:
    """The word of a mark, in whatever case; None where the comment is none, and does not look like one either."""
    found = _MARK.fullmatch(comment)
    if found is None:
        return None
    name, between, said = found.groups()
    word = said.lower()
    if ":" not in between:
        if word in get_args(Word):
            raise _refusal(path, line, f"no mark `#{comment.rstrip()}`; did you mean `# mendel: {word}`?")
        return None
    if word in get_args(Word):
        return cast("Word", word)
    if name == "mendel" or difflib.get_close_matches(word, get_args(Word), n=1):
        raise _refusal(path, line, f"no mark `# mendel: {said}`; {_offered(word)}")
    return None


def _offered(word: str) -> str:
    near = difflib.get_close_matches(word, get_args(Word), n=1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(get_args(Word))}"


def _pieces(body: Sequence[ast.stmt], prefix: str) -> Iterator[_Piece]:
    """Statements in the order of the file, with the functions that :meth:`Code.functions` finds in them."""
    for node in body:
        if isinstance(node, Function):
            yield _piece(node, frozenset({prefix + node.name}), is_function=True)
        elif isinstance(node, ast.ClassDef):
            inner = list(_pieces(node.body, f"{prefix}{node.name}."))
            yield _piece(node, _together(each.names for each in inner), is_function=False)
            yield from inner
        else:
            yield _Piece(node.lineno, node.lineno, node.end_lineno or node.lineno, frozenset())


def _piece(node: Function | ast.ClassDef, names: frozenset[str], *, is_function: bool) -> _Piece:
    first = min(each.lineno for each in (node, *node.decorator_list))
    return _Piece(first, node.body[0].lineno, node.end_lineno or node.lineno, names, is_function)


def _together(names: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*names)


def _refusal(path: str, line: int, told: str) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {told}")


@dataclass(frozen=True)
class _Reader:
    """Turns marks into names of functions."""

    path: str
    pieces: Sequence[_Piece]

    def kept(self, marks: Sequence[_Mark]) -> frozenset[str]:
        """Those that ``keep`` stands beside."""
        return _together(self._beside(mark) for mark in marks if mark.word == "keep")

    def evolved(self, marks: Sequence[_Mark]) -> frozenset[str]:
        """Those in regions, and those that ``evolve`` stands beside."""
        found = [self._beside(mark) for mark in marks if mark.word == "evolve" and not mark.alone]
        opened: _Mark | None = None
        for mark in marks:
            if mark.word == "end":
                found.append(self._region(opened, mark))
                opened = None
            elif mark.word == "evolve" and mark.alone:
                found.append(self._unclosed(opened))
                opened = mark
        return _together([*found, self._unclosed(opened)])

    def _region(self, start: _Mark | None, end: _Mark) -> frozenset[str]:
        if start is None:
            told = "`# mendel: end` without a `# mendel: evolve` above it; add that, or take the mark away"
            raise self._refused(end, told)
        self._refuse_within(start)
        self._refuse_within(end)
        inside = [each.names for each in self.pieces if start.line < each.first and each.last < end.line]
        if not any(inside):
            told = f"no function stands between this mark and its end, line {end.line}; put them around whole functions"
            raise self._refused(start, told)
        return _together(inside)

    def _unclosed(self, mark: _Mark | None) -> frozenset[str]:
        """Of a mark that nothing closes: the definition below it."""
        if mark is None:
            return frozenset()
        self._refuse_within(mark)
        names = self._below(mark)
        if not names:
            told = "`# mendel: evolve` has no `# mendel: end`; add it, or put the mark right above one function"
            raise self._refused(mark, told)
        return names

    def _beside(self, mark: _Mark) -> frozenset[str]:
        """The functions of the definition that the mark stands above, or at the head of."""
        if mark.alone:
            self._refuse_within(mark)
        names = self._below(mark) if mark.alone else self._headed(mark)
        if not names:
            told = f"`# mendel: {mark.word}` stands beside no function; put it above a `def`, or at the end of its line"
            raise self._refused(mark, told)
        return names

    def _below(self, mark: _Mark) -> frozenset[str]:
        return next((each.names for each in self.pieces if each.first > mark.line), frozenset())

    def _headed(self, mark: _Mark) -> frozenset[str]:
        return next((each.names for each in self.pieces if each.heads(mark.line)), frozenset())

    def _refuse_within(self, mark: _Mark) -> None:
        for each in self.pieces:
            if each.is_function and each.first <= mark.line <= each.last:
                told = f"the mark stands within the function {min(each.names)}; put it above or below the whole of it"
                raise self._refused(mark, told)

    def _refused(self, mark: _Mark, told: str) -> ConfigError:
        return _refusal(self.path, mark.line, told)
