"""Extracts the text of an HTML page with bounded effort: reading stops where a hostile page would become slow."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_CHUNK: Final = 16 * 1024  # characters per feed of the parser
_MOST_PENDING: Final = 256 * 1024
"""Maximum number of characters that the parser may buffer for an unclosed tag; beyond it, the rest is dropped."""
_MOST_CLOSED: Final = 16 * 1024
"""Maximum unparsed rest at the end of a page: the standard library's time is quadratic in its length."""
_UNREAD: Final = re.compile(r"<(?:(!--)|(script|style|template|svg|iframe|noembed|noframes)(?=[\s/>]))", re.I | re.A)
_SPACE: Final = re.compile(r"\s+")
_BLANK: Final = re.compile(r"\n\s*\n+")
_BLOCKS: Final = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "dd", "details", "div", "dl", "dt", "fieldset", "figure"),
        *(
            "figcaption",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "nav",
            "ol",
        ),
        *("option", "p", "pre", "section", "summary", "table", "tr", "ul", "title"),
    }
)
_CELLS: Final = frozenset({"td", "th"})


def page_text(html: str, ceiling: int) -> str:
    """Return the visible text in lines, about ``ceiling`` characters at most; preformatted text keeps its layout."""
    reader = _Reader()
    visible = _without_unread(html)
    for start in range(0, len(visible), _CHUNK):
        if reader.size > ceiling or len(reader.rawdata) > _MOST_PENDING:
            break
        if not _fed(reader, visible[start : start + _CHUNK]):
            break
    else:
        if len(reader.rawdata) <= _MOST_CLOSED:
            _fed(reader, None)
    return _BLANK.sub("\n\n", "".join(reader.parts)).strip()


def _fed(reader: _Reader, chunk: str | None) -> bool:
    """Feed a chunk to the parser, or None for the end of the page; return whether it succeeded."""
    try:
        if chunk is None:
            reader.close()
        else:
            reader.feed(chunk)
    # The standard library asserts on unknown markup, and refuses to convert numbers of more than 4,300 digits.
    except (AssertionError, ValueError):
        return False
    return True


def _without_unread(html: str) -> str:
    """Remove comments, scripts, styles and drawings in one pass."""
    kept: list[str] = []
    place = 0
    while (opening := _UNREAD.search(html, place)) is not None:
        kept.append(html[place : opening.start()])
        place = _end_of(html, opening)
        if place < 0:
            return "".join(kept)
    return "".join([*kept, html[place:]])


def _end_of(html: str, opening: re.Match[str]) -> int:
    """Return the end of the opened element or comment; negative if it is never closed."""
    if opening[1]:
        end = html.find("-->", opening.end() - 2)
        return end + 3 if end >= 0 else -1
    closing = re.compile(rf"</{opening[2]}(?=[\s/>])", re.I | re.A).search(html, opening.end())
    if closing is None:
        return -1
    return html.find(">", closing.end()) + 1 or -1


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.size = 0
        self._preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - unused
        self._preformatted += tag == "pre"
        self._boundary(tag)

    def handle_endtag(self, tag: str) -> None:
        self._preformatted = max(0, self._preformatted - (tag == "pre"))
        self._boundary(tag)

    def handle_data(self, data: str) -> None:
        text = data if self._preformatted else _SPACE.sub(" ", data)
        if not self._preformatted and (not self.parts or self.parts[-1].endswith((" ", "\n", "\t"))):
            text = text.lstrip()
        self._add(text)

    def _boundary(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._add("\n")
        elif tag in _CELLS:
            self._add("\t")

    def _add(self, text: str) -> None:
        if text:
            self.parts.append(text)
            self.size += len(text)
