"""Comments that define which functions may change: ``# mendel: evolve``, ``# mendel: end``, ``# mendel: keep``.

``evolve`` on a line of its own opens a region that the next ``end`` closes; whole functions between the two are marked.
Without an ``end`` before the next ``evolve``, it marks only the function or class below it. At the end of a ``def`` or
``class`` line, ``evolve`` marks that definition. ``keep``, above or at the end of such a line, excludes a definition.
Case and the number of ``#`` do not matter, and a mark at the end of a line may be combined with other comments.
Misspelt marks are refused, because otherwise users would believe that a function is protected when it is not.
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
"""Start of a comment part: ``# noqa  # mendel: keep`` has two. A quoted ``#`` has no space before it: it is prose."""
_MARK: Final = re.compile(r"\s*(mendel)(\s*:\s*|\W+)(.*?)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Marks:
    """The marks of a file: the functions to evolve (empty means not specified) and the functions to keep.

    ``line`` is the line of the first mark; None without marks.
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
    """A statement of the module or a class: its lines, including decorators, the start of its body, its functions."""

    first: int
    body: int
    last: int
    names: frozenset[str]
    is_function: bool = False

    def heads(self, line: int) -> bool:
        """Return whether the line is in the head, the lines before the body."""
        return self.first <= line < max(self.body, self.first + 1)  # a body may be on the first line


def marks_in(code: Code) -> Marks:
    """Read the marks of the file.

    Raises:
        ConfigError: a mark is unknown, unbalanced, without a function or within one; with its line and what to do.
    """
    marks = list(_marks(code))
    if not marks:
        return Marks()
    reader = _Reader(code.path, list(_pieces(code.tree.body, "")))
    return Marks(reader.evolved(marks), reader.kept(marks), marks[0].line)


def _marks(code: Code) -> Iterator[_Mark]:
    if "mendel" not in code.text.lower():  # saves tokenizing the many files without marks
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
                told = f"`# mendel: {word}` follows another comment; give it a line of its own, or remove it"
                raise _refusal(code.path, line, told)
            yield _Mark(word, line, alone)


def _word(comment: str, path: str, line: int) -> Word | None:
    """Return the word of a mark in lower case; None if the comment is not a mark and does not resemble one."""
    found = _MARK.fullmatch(comment)
    if found is None:
        return None
    name, between, said = found.groups()
    word = said.lower()
    if ":" not in between:
        if word in get_args(Word):
            raise _refusal(path, line, f"unknown mark `#{comment.rstrip()}`; did you mean `# mendel: {word}`?")
        return None
    if word in get_args(Word):
        return cast("Word", word)
    # "Mendel: a monk who bred peas" is prose: with another case, only words close to a mark are refused.
    if name == "mendel" or difflib.get_close_matches(word, get_args(Word), n=1):
        raise _refusal(path, line, f"unknown mark `# mendel: {said}`; {_offered(word)}")
    return None


def _offered(word: str) -> str:
    near = difflib.get_close_matches(word, get_args(Word), n=1)
    return f"did you mean {near[0]}?" if near else f"the known marks are {', '.join(get_args(Word))}"


def _pieces(body: Sequence[ast.stmt], prefix: str) -> Iterator[_Piece]:
    """Yield the statements in file order, with the functions that :meth:`Code.functions` finds in them."""
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
    first = min(each.lineno for each in (node, *node.decorator_list))  # a mark may stand above decorators
    return _Piece(first, node.body[0].lineno, node.end_lineno or node.lineno, names, is_function)


def _together(names: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*names)


def _refusal(path: str, line: int, told: str) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {told}")


@dataclass(frozen=True)
class _Reader:
    """Converts marks to the names of functions."""

    path: str
    pieces: Sequence[_Piece]

    def kept(self, marks: Sequence[_Mark]) -> frozenset[str]:
        """Return the functions marked with ``keep``."""
        return _together(self._beside(mark) for mark in marks if mark.word == "keep")

    def evolved(self, marks: Sequence[_Mark]) -> frozenset[str]:
        """Return the functions in regions, and those marked with ``evolve`` directly."""
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
            told = "`# mendel: end` without a `# mendel: evolve` above it; add that, or remove the mark"
            raise self._refused(end, told)
        self._refuse_within(start)
        self._refuse_within(end)
        inside = [each.names for each in self.pieces if start.line < each.first and each.last < end.line]
        if not any(inside):
            told = f"no function between this mark and its end in line {end.line}; put them around whole functions"
            raise self._refused(start, told)
        return _together(inside)

    def _unclosed(self, mark: _Mark | None) -> frozenset[str]:
        """Return the functions of the definition below a mark without an end."""
        if mark is None:
            return frozenset()
        self._refuse_within(mark)
        names = self._below(mark)
        if not names:
            told = "`# mendel: evolve` has no `# mendel: end`; add it, or put the mark directly above one function"
            raise self._refused(mark, told)
        return names

    def _beside(self, mark: _Mark) -> frozenset[str]:
        """Return the functions of the definition that has the mark above it or in its head."""
        if mark.alone:
            self._refuse_within(mark)
        names = self._below(mark) if mark.alone else self._headed(mark)
        if not names:
            told = f"`# mendel: {mark.word}` applies to no function; put it above a `def`, or at the end of its line"
            raise self._refused(mark, told)
        return names

    def _below(self, mark: _Mark) -> frozenset[str]:
        return next((each.names for each in self.pieces if each.first > mark.line), frozenset())

    def _headed(self, mark: _Mark) -> frozenset[str]:
        return next((each.names for each in self.pieces if each.heads(mark.line)), frozenset())

    def _refuse_within(self, mark: _Mark) -> None:
        for each in self.pieces:
            if each.is_function and each.first <= mark.line <= each.last:
                told = f"the mark is within the function {min(each.names)}; put it above or below the whole function"
                raise self._refused(mark, told)

    def _refused(self, mark: _Mark, told: str) -> ConfigError:
        return _refusal(self.path, mark.line, told)
