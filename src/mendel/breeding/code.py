"""Python source as text and tree at once: operators think in nodes and write text, so that the rest stays as it was.

Rejected: LibCST, which keeps formatting in the tree. Replacing spans of the text keeps every byte that is not edited,
is ten times as fast to parse, and lets operators use the standard library's tree, which scopes and patterns want.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeVar

from mendel.contracts.errors import SourceNotPython
from mendel.ports.syntax import module_tree

MOST_CHARACTERS: Final = 500_000
BRED: Final = "<bred>"
"""The file name under which bred text is parsed."""
UNIT: Final = "    "
"""How operators indent what they write; files with other habits get theirs."""
_HEADING: Final = re.compile(r"#!|#.*coding[:=]")
"""Lines that only mean something at the top of a file."""
N = TypeVar("N", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Located = ast.stmt | ast.expr | ast.ExceptHandler | ast.arg | ast.keyword | ast.alias

# What the parser does not like about bred text (`1if x`, `"\\d"`) is nobody's to read: the text is data, and may be
# dropped a moment later. Set once for this file name and nothing else; `catch_warnings` would swap the filters of the
# whole process around every parse, which other threads notice, and the parser has no flag against its warnings.
for _kind in (SyntaxWarning, DeprecationWarning):
    warnings.filterwarnings("ignore", category=_kind, module=re.escape(BRED))


def tree_of(text: str) -> ast.Module:
    """The tree of a text that may be bred, parsed without a word on stderr."""
    return module_tree(text, BRED)


@dataclass(frozen=True, slots=True)
class Change:
    """Characters ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Edit:
    """Changes that belong together, the imports they need, and what they do, for a person to read."""

    changes: tuple[Change, ...]
    note: str
    imports: tuple[str, ...] = ()


class Code:
    """One file of Python.

    Raises:
        SourceNotPython: it does not parse, or is larger than anybody should breed.
    """

    def __init__(self, text: str, path: str = "source.py") -> None:
        if len(text) > MOST_CHARACTERS:
            raise SourceNotPython(f"{path} has {len(text):,} characters; at most {MOST_CHARACTERS:,} can be bred")
        self.text = text
        self.path = path
        try:
            self.tree = tree_of(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            where = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            raise SourceNotPython(f"{path} does not parse{where}: {_told(error)}") from None

    @cached_property
    def _lines(self) -> list[str]:
        """As the parser splits them: form feeds and such are no ends of lines to it."""
        return (
            self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            if "\r" in self.text
            else self.text.split("\n")
        )

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], 0
        for place, character in enumerate(self.text):
            lone_return = character == "\r" and self.text[place + 1 : place + 2] != "\n"
            if character == "\n" or lone_return:
                at = place + 1
                starts.append(at)
        return starts

    @property
    def newline(self) -> str:
        """How lines end here."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node but the module."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def offset(self, line: int, column: int) -> int:
        """The place in the text of a line, from 1, and a column in bytes, as the parser counts."""
        content = self._lines[line - 1]
        width = column if content.isascii() else len(content.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + width

    def span(self, node: Located) -> tuple[int, int]:
        """Where the node stands, a function with its decorators."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda each: (each.lineno, each.col_offset))
        start = self.offset(first.lineno, first.col_offset)
        if first is not node:
            start = self.text.rindex("@", 0, start)
        return start, self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def of(self, node: Located) -> str:
        """The node's own text; of several lines all but the first are indented as they stand."""
        start, end = self.span(node)
        return self.text[start:end]

    def flush(self, node: ast.stmt) -> str:
        """A statement's text, indented as if it stood at the left margin."""
        start, end = self.span(node)
        text = textwrap.dedent((self.indent(node) or " " * self._column(start)) + self.text[start:end])
        return text if self.unit == UNIT else _reindented(text, self.unit, UNIT)

    def _column(self, start: int) -> int:
        return start - (self.text.rfind("\n", 0, start) + 1)

    def indent(self, node: ast.stmt) -> str:
        """The white space before a statement; nothing where it shares its line with another."""
        start, _ = self.span(node)
        before = self.text[start - self._column(start) : start]
        return before if before.isspace() else ""

    def alone(self, node: ast.stmt) -> bool:
        """Whether nothing stands before the statement on its line."""
        start, _ = self.span(node)
        before = self.text[start - self._column(start) : start]
        return not before.strip()

    # --- changes ---------------------------------------------------------------------------------------------

    def replaced(self, node: Located, text: str) -> Change:
        """``text`` in place of the node; lines of a statement are indented as it is."""
        start, end = self.span(node)
        if isinstance(node, ast.stmt):
            text = self._indented(text, self.indent(node))
        return Change(start, end, text)

    def before(self, node: ast.stmt, text: str) -> Change:
        """``text`` as statements before the node."""
        start, _ = self.span(node)
        indent = self.indent(node)
        return Change(start, start, self._indented(text, indent) + self.newline + indent)

    def after(self, node: ast.stmt, text: str) -> Change:
        """``text`` as statements behind the node."""
        _, end = self.span(node)
        indent = self.indent(node)
        newline = self.text.find("\n", end)
        end = len(self.text) if newline < 0 else newline - (self.text[newline - 1] == "\r")
        return Change(end, end, self.newline + indent + self._indented(text, indent))

    def removed(self, node: ast.stmt) -> Change:
        """The statement goes, with its line; the only one of its block becomes ``pass``."""
        start, end = self.span(node)
        newline = self.text.find("\n", end)
        shared = ";" in self.text[end : newline if newline >= 0 else None].partition("#")[0]
        if len(self.block_of(node)) == 1 or shared or not self.alone(node):
            return self.replaced(node, "pass")
        start -= self._column(start)
        return Change(start, len(self.text) if newline < 0 else newline + 1, "")

    def block_of(self, node: ast.stmt) -> list[ast.stmt]:
        """The statements among which the node stands."""
        for _, block in blocks(self.parents[node]):
            if any(each is node for each in block):
                return block
        raise ValueError(f"no block of {self.path} holds the statement of line {node.lineno}")

    @cached_property
    def unit(self) -> str:
        """By how much a block is indented here: what the first one has before it; ours where there is none."""
        for node in ast.walk(self.tree):
            for _, block in blocks(node):
                indent = self.indent(block[0])
                outer = self.indent(node) if isinstance(node, ast.stmt) else indent
                if len(indent) > len(outer):
                    return indent.removeprefix(outer)
        return UNIT

    def _indented(self, text: str, indent: str) -> str:
        if self.unit != UNIT:
            text = _reindented(text, UNIT, self.unit)
        first, *rest = text.split("\n")
        return self.newline.join([first, *(indent + line if line.strip() else line for line in rest)])

    def edited(self, edit: Edit) -> Code | None:
        """The code after an edit; None where it changes nothing, overlaps itself or no longer parses."""
        text, last = [], 0
        for change in sorted(edit.changes, key=lambda each: (each.start, each.end)):
            if change.start < last:
                return None
            text += [self.text[last : change.start], change.text.replace("\r\n", "\n").replace("\n", self.newline)]
            last = change.end
        try:
            made = Code("".join([*text, self.text[last:]]), self.path).importing(edit.imports)
        except SourceNotPython:
            return None
        return made if made.text != self.text else None

    def importing(self, lines: Sequence[str]) -> Code:
        """The code with these imports, where it does not have them yet."""
        have = {ast.unparse(node) for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
        missing = [line for line in dict.fromkeys(lines) if line not in have]
        if not missing:
            return self
        place = self._place_for_imports()
        glue = "" if place == 0 or self.text[place - 1] == "\n" else "\n"
        return Code(
            self.text[:place] + glue + "".join(f"{line}{self.newline}" for line in missing) + self.text[place:],
            self.path,
        )

    def _place_for_imports(self) -> int:
        """Behind the last import at the top, or behind the docstring."""
        last = None
        for node in self.tree.body:
            if not (isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node)):
                break
            last = node
        if last is None:
            return self._before_first()
        end = self.text.find("\n", self.span(last)[1])
        return len(self.text) if end < 0 else end + 1

    def _before_first(self) -> int:
        """Before the first statement and the comments that belong to it, but behind those that head the file."""
        lines = self.text.splitlines(keepends=True)
        comments = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
        heads = comments < len(lines) and not lines[comments].strip()
        first = next((at for at, line in enumerate(lines[:2]) if not _HEADING.match(line)), 2)
        skipped = comments + 1 if heads and comments else min(first, comments)
        return sum(map(len, lines[:skipped]))

    # --- looking ---------------------------------------------------------------------------------------------

    def function(self, qualname: str) -> Function | None:
        """The function of that name, ``Class.method`` for a method."""
        return next((node for name, node in self.functions() if name == qualname), None)

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Every function and method that can be named, in the order of the file."""
        yield from _functions(self.tree.body, "")


@lru_cache(maxsize=256)
def parsed(text: str, path: str = "source.py") -> Code:
    """The code of a text; of one that was asked for a moment ago, the same object, which nobody changes.

    Raises:
        SourceNotPython: as :class:`Code` does.
    """
    return Code(text, path)


def _functions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")


def blocks(node: ast.AST) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Every list of statements directly in a node, by the name of its field."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield name, block


def _reindented(text: str, unit: str, wanted: str) -> str:
    """``text`` with every unit of indentation written in another way."""
    lines = []
    for line in text.split("\n"):
        levels = 0
        while line.startswith(unit, levels * len(unit)):
            levels += 1
        lines.append(wanted * levels + line[levels * len(unit) :])
    return "\n".join(lines)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _told(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return error.msg or "invalid syntax"
    return "it nests too deeply" if isinstance(error, RecursionError | MemoryError) else str(error)
