"""Python source as text and syntax tree: operators select nodes and replace spans of text, so the rest is unchanged.

Rejected: LibCST, which keeps formatting in the tree. Replacing spans of the text preserves every unedited byte, parses
ten times as fast, and lets operators use the standard library's tree, which the scope and pattern modules require.
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
"""The file name that the parser is given for bred text."""
UNIT: Final = "    "
"""Indentation in the text that operators write; it is converted to the file's own unit."""
_HEADING: Final = re.compile(r"#!|#.*coding[:=]")
"""Lines that have a meaning only at the top of a file: shebang and encoding."""
N = TypeVar("N", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Located = ast.stmt | ast.expr | ast.ExceptHandler | ast.arg | ast.keyword | ast.alias

# Silence the parser's warnings about bred text (`1if x`, `"\\d"`): the text is data and often discarded at once. The
# filters are set once and only for this file name: `catch_warnings` would replace the filters of the whole process
# around every parse, which affects other threads, and the parser has no flag that turns its warnings off.
for _kind in (SyntaxWarning, DeprecationWarning):
    warnings.filterwarnings("ignore", category=_kind, module=re.escape(BRED))


def tree_of(text: str) -> ast.Module:
    """Parse bred text without warnings on stderr."""
    return module_tree(text, BRED)


@dataclass(frozen=True, slots=True)
class Change:
    """Replaces the characters from ``start`` up to ``end`` with ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Edit:
    """Changes that must be applied together, the imports they need, and a description for people."""

    changes: tuple[Change, ...]
    note: str
    imports: tuple[str, ...] = ()


class Code:
    """One Python file.

    Raises:
        SourceNotPython: it does not parse, or exceeds ``MOST_CHARACTERS``.
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
        """Lines as the parser splits them: unlike ``splitlines``, it does not end a line at a form feed."""
        return (
            self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            if "\r" in self.text
            else self.text.split("\n")
        )

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], 0
        for place, character in enumerate(self.text):
            # The parser ends a line at a lone `\r`, too.
            lone_return = character == "\r" and self.text[place + 1 : place + 2] != "\n"
            if character == "\n" or lone_return:
                at = place + 1
                starts.append(at)
        return starts

    @property
    def newline(self) -> str:
        """The file's line ending."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node except the module."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def offset(self, line: int, column: int) -> int:
        """Convert a line, from 1, and a column in UTF-8 bytes, as the parser counts them, to an index into the text."""
        content = self._lines[line - 1]
        # In ASCII text, bytes and characters agree.
        width = column if content.isascii() else len(content.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + width

    def span(self, node: Located) -> tuple[int, int]:
        """Return the start and end of the node in the text, decorators included."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda each: (each.lineno, each.col_offset))
        start = self.offset(first.lineno, first.col_offset)
        if first is not node:
            start = self.text.rindex("@", 0, start)  # a decorator's node begins after its "@"
        return start, self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def of(self, node: Located) -> str:
        """Return the node's text; lines after the first keep their indentation."""
        start, end = self.span(node)
        return self.text[start:end]

    def flush(self, node: ast.stmt) -> str:
        """Return a statement's text, dedented to the left margin."""
        start, end = self.span(node)
        text = textwrap.dedent((self.indent(node) or " " * self._column(start)) + self.text[start:end])
        return text if self.unit == UNIT else _reindented(text, self.unit, UNIT)

    def _column(self, start: int) -> int:
        return start - (self.text.rfind("\n", 0, start) + 1)

    def indent(self, node: ast.stmt) -> str:
        """Return the whitespace before a statement; empty if another statement precedes it on its line."""
        start, _ = self.span(node)
        before = self.text[start - self._column(start) : start]
        return before if before.isspace() else ""

    def alone(self, node: ast.stmt) -> bool:
        """Return whether nothing precedes the statement on its line."""
        start, _ = self.span(node)
        before = self.text[start - self._column(start) : start]
        return not before.strip()

    # --- changes ---------------------------------------------------------------------------------------------

    def replaced(self, node: Located, text: str) -> Change:
        """Replace the node with ``text``, which takes the indentation of a replaced statement."""
        start, end = self.span(node)
        if isinstance(node, ast.stmt):
            text = self._indented(text, self.indent(node))
        return Change(start, end, text)

    def before(self, node: ast.stmt, text: str) -> Change:
        """Insert ``text`` as statements before the node."""
        start, _ = self.span(node)
        indent = self.indent(node)
        return Change(start, start, self._indented(text, indent) + self.newline + indent)

    def after(self, node: ast.stmt, text: str) -> Change:
        """Insert ``text`` as statements after the node's last line."""
        _, end = self.span(node)
        indent = self.indent(node)
        newline = self.text.find("\n", end)
        # After a comment on the last line, but before its line ending.
        end = len(self.text) if newline < 0 else newline - (self.text[newline - 1] == "\r")
        return Change(end, end, self.newline + indent + self._indented(text, indent))

    def removed(self, node: ast.stmt) -> Change:
        """Remove the statement and its lines; an only statement, or one that shares a line, becomes ``pass``."""
        start, end = self.span(node)
        newline = self.text.find("\n", end)
        # Whether another statement follows on the last line.
        shared = ";" in self.text[end : newline if newline >= 0 else None].partition("#")[0]
        if len(self.block_of(node)) == 1 or shared or not self.alone(node):
            return self.replaced(node, "pass")
        start -= self._column(start)
        return Change(start, len(self.text) if newline < 0 else newline + 1, "")

    def block_of(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the block that contains the statement."""
        for _, block in blocks(self.parents[node]):
            if any(each is node for each in block):
                return block
        raise ValueError(f"no block of {self.path} contains the statement of line {node.lineno}")

    @cached_property
    def unit(self) -> str:
        """The file's indentation unit, taken from its first indented block; ``UNIT`` if there is none."""
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
        """Apply an edit; return None if it changes nothing, its changes overlap, or the result does not parse."""
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
        """Return the code with these import lines added, except those it already has."""
        # Compared as normalised text, so that spacing does not matter.
        have = {ast.unparse(node) for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
        missing = [line for line in dict.fromkeys(lines) if line not in have]
        if not missing:
            return self
        place = self._place_for_imports()
        glue = "" if place == 0 or self.text[place - 1] == "\n" else "\n"  # the last line may have no newline
        return Code(
            self.text[:place] + glue + "".join(f"{line}{self.newline}" for line in missing) + self.text[place:],
            self.path,
        )

    def _place_for_imports(self) -> int:
        """Return the index after the last import at the top, or after the docstring."""
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
        """Return the index before the first statement and its comments, but after the comments that head the file."""
        lines = self.text.splitlines(keepends=True)
        comments = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
        heads = comments < len(lines) and not lines[comments].strip()  # a blank line ends the file's own comments
        first = next((at for at, line in enumerate(lines[:2]) if not _HEADING.match(line)), 2)
        skipped = comments + 1 if heads and comments else min(first, comments)
        return sum(map(len, lines[:skipped]))

    # --- looking ---------------------------------------------------------------------------------------------

    def function(self, qualname: str) -> Function | None:
        """Return the function with that name; a method's name is ``Class.method``."""
        return next((node for name, node in self.functions() if name == qualname), None)

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Yield the name and node of each top-level function and of each method, in file order."""
        yield from _functions(self.tree.body, "")


@lru_cache(maxsize=256)
def parsed(text: str, path: str = "source.py") -> Code:
    """Parse a text, or return the cached object for a recent one; callers must not modify it.

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
    """Yield each list of statements directly in a node, with the name of its field."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield name, block


def _reindented(text: str, unit: str, wanted: str) -> str:
    """Convert the indentation of ``text`` from one unit to another."""
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
